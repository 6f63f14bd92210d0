// Pictures of the page, to look at: node look.mjs EXAMPLE FRAME WIDTHxHEIGHT NAME [light|dark]

import { open_browser, open_page, picture, step_to, wait_for } from "./browser.mjs";
import { start_program } from "./program.mjs";

const [example, frame, size, name, theme = "light"] = process.argv.slice(2), [width, height] = size.split("x").map(Number);
const browser = await open_browser(), program = await start_program(example);
const { page, complaints } = await open_page(browser, program.address, { width, height, theme, shadows: true, touch: width < 1000 });
await step_to(page, Number(frame));
await wait_for(page, () => window.sinew.has_editor());
await new Promise((resolve) => setTimeout(resolve, 1500));
await picture(page, name);
console.log(complaints.join("\n"));
await browser.close();
await program.close();
