-- CHARLI scripts in Neovim (0.7 or newer): colours, and the language server of Sinew.
-- In init.lua:  dofile("/where/sinew/is/editors/neovim/charli.lua")
-- The program is `sinew` on the PATH, or what vim.g.charli_sinew says.

local folder = vim.fn.fnamemodify(debug.getinfo(1, "S").source:sub(2), ":p:h")
vim.opt.runtimepath:append(folder) -- syntax/charli.vim

local clients = {} -- by folder of the scripts

local function on_attach(_, buffer)
  vim.api.nvim_buf_set_option(buffer, "omnifunc", "v:lua.vim.lsp.omnifunc")
  local keys = {
    K = vim.lsp.buf.hover,
    gd = vim.lsp.buf.definition,
    gr = vim.lsp.buf.references,
    ["<leader>rn"] = vim.lsp.buf.rename,
    ["<leader>f"] = function()
      -- Neovim 0.7 has only `formatting`, newer ones only `format`.
      if vim.lsp.buf.format then
        vim.lsp.buf.format()
      else
        vim.lsp.buf.formatting()
      end
    end,
  }
  for key, action in pairs(keys) do
    vim.keymap.set("n", key, action, { buffer = buffer })
  end
end

local function start(buffer)
  local program = vim.g.charli_sinew or "sinew"
  if vim.fn.executable(program) == 0 then
    vim.notify_once("charli: there is no program '" .. program .. "'; colours only", vim.log.levels.WARN)
    return
  end
  local root = vim.fn.fnamemodify(vim.api.nvim_buf_get_name(buffer), ":p:h")
  local config = {
    name = "sinew",
    cmd = { program, "lsp" },
    root_dir = root,
    on_attach = on_attach,
    on_exit = function()
      clients[root] = nil
    end,
  }
  if vim.lsp.start then -- 0.8 and newer
    vim.lsp.start(config, { bufnr = buffer })
    return
  end
  clients[root] = clients[root] or vim.lsp.start_client(config)
  if clients[root] then
    vim.lsp.buf_attach_client(buffer, clients[root])
  end
end

-- The group of Neovim's own detection, so that it takes no script that begins with # for a "conf".
vim.api.nvim_create_autocmd({ "BufRead", "BufNewFile" }, {
  group = vim.api.nvim_create_augroup("filetypedetect", { clear = false }),
  pattern = "*.charli",
  command = "setfiletype charli",
})
vim.api.nvim_create_autocmd("FileType", {
  group = vim.api.nvim_create_augroup("charli", { clear = true }),
  pattern = "charli",
  callback = function(event)
    vim.bo[event.buf].commentstring = "# %s"
    vim.bo[event.buf].shiftwidth = 2
    vim.bo[event.buf].expandtab = true
    start(event.buf)
  end,
})
