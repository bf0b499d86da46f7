-- For wrk: batches of queries from the file BODIES, one form to a line, in turn, with each of the KEYS in turn.
local requests = {}
local at = 0

function init()
    wrk.headers["Content-Type"] = "application/x-www-form-urlencoded"
    local keys = {}
    for key in os.getenv("KEYS"):gmatch("%S+") do
        keys[#keys + 1] = key
    end
    for line in io.lines(os.getenv("BODIES")) do
        local key = keys[#requests % #keys + 1]
        requests[#requests + 1] = wrk.format("POST", "/v1/reconcile/" .. key, nil, line)
    end
end

function request()
    at = at % #requests + 1
    return requests[at]
end
