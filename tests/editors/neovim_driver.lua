-- Runs inside Neovim: carries out the steps of a JSON file and writes what came of them.
-- See neovim_test.py, which writes the one and reads the other.

local function read(path)
  local file = assert(io.open(path, "rb"))
  local text = file:read("*a")
  file:close()
  return text
end

local job = vim.fn.json_decode(read(vim.env.CHARLI_JOB))

local function lines_of(buffer)
  return table.concat(vim.api.nvim_buf_get_lines(buffer, 0, -1, false), "\n") .. "\n"
end

local function client()
  local found = vim.lsp.buf_get_clients(0)
  return found[next(found)]
end

local steps = {}

function steps.open(step)
  vim.cmd("silent edit " .. vim.fn.fnameescape(step.file))
  local ready = vim.wait(5000, function()
    return client() ~= nil and client().initialized
  end, 10)
  if not ready then
    error("the language server did not start within 5 s: is `" .. job.sinew .. " lsp` one?", 0)
  end
  return {
    filetype = vim.bo.filetype,
    sync = client().server_capabilities.textDocumentSync.change,
    pid = client().rpc.pid,
  }
end

-- Replaces text as typing would; lines and bytes count from 0.
function steps.edit(step)
  vim.api.nvim_buf_set_text(0, step.line, step.from, step.line, step.to, { step.text })
  return lines_of(0)
end

-- Waits until exactly these codes are shown.
function steps.diagnostics(step)
  local function codes()
    local out = {}
    for _, d in ipairs(vim.diagnostic.get(0)) do
      table.insert(out, d.code)
    end
    table.sort(out)
    return table.concat(out, " ")
  end
  vim.wait(5000, function()
    return codes() == step.codes
  end, 10)
  return vim.diagnostic.get(0)
end

function steps.request(step)
  vim.api.nvim_win_set_cursor(0, { step.line + 1, step.byte })
  local params = vim.lsp.util.make_position_params(0, client().offset_encoding)
  -- The cursor of normal mode stands on a character; typing happens behind the last one.
  local line = vim.api.nvim_get_current_line()
  params.position.character = vim.lsp.util._str_utfindex_enc(line, step.byte, client().offset_encoding)
  for key, value in pairs(step.extra or vim.empty_dict()) do
    params[key] = value
  end
  local answers = vim.lsp.buf_request_sync(0, step.method, params, 5000)
  local answer = answers and answers[next(answers)] or { error = { message = "no answer" } }
  if step.apply and answer.result then
    vim.lsp.util.apply_workspace_edit(answer.result, client().offset_encoding)
  end
  local refusal = answer.error or answer.err -- the name differs between versions of Neovim
  return { result = answer.result or vim.NIL, refusal = refusal and refusal.message or vim.NIL }
end

function steps.format()
  local params = vim.lsp.util.make_formatting_params()
  local answers = vim.lsp.buf_request_sync(0, "textDocument/formatting", params, 5000)
  local answer = answers[next(answers)]
  vim.lsp.util.apply_text_edits(answer.result, vim.api.nvim_get_current_buf(), client().offset_encoding)
  return lines_of(0)
end

function steps.text(step)
  return lines_of(vim.fn.bufnr(step.file))
end

-- The syntax group of every byte.
function steps.colours()
  vim.cmd("syntax on")
  local out = {}
  for row = 1, vim.api.nvim_buf_line_count(0) do
    local line = {}
    for column = 1, #vim.fn.getline(row) do
      table.insert(line, vim.fn.synIDattr(vim.fn.synID(row, column, 1), "name"))
    end
    table.insert(out, line)
  end
  return out
end

local results = {}
local ok, fault = pcall(function()
  vim.g.charli_sinew = job.sinew
  dofile(job.plugin)
  for number, step in ipairs(job.steps) do
    local fine, result = pcall(steps[step["do"]], step)
    if not fine then
      error("step " .. number .. " (" .. step["do"] .. "): " .. tostring(result))
    end
    table.insert(results, result == nil and vim.NIL or result)
  end
end)
local file = assert(io.open(job.out, "wb"))
file:write(vim.fn.json_encode({ results = results, fault = not ok and fault or vim.NIL }))
file:close()
vim.cmd("qall!")
