-- For wrk: 1,000 random keys of KEYS per request, as a JSON array.
local requests = {}

function init()
    math.randomseed(os.time())
    wrk.headers["Content-Type"] = "application/json"
    local keys = tonumber(os.getenv("KEYS"))
    for i = 1, 500 do
        local ids = {}
        for j = 1, 1000 do
            ids[j] = math.random(keys) - 1
        end
        requests[i] = wrk.format("POST", "/kv", nil, "[" .. table.concat(ids, ",") .. "]")
    end
end

function request()
    return requests[math.random(#requests)]
end
