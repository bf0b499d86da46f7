-- For wrk: sourceInfo requests with bodies from the file BODIES, one "adapter<TAB>ids" per line, taken at random.
local requests = {}

function setup(thread)
    thread:set("seed", os.time() + tonumber(tostring(thread):match("0x%x+")) % 1000)
end

function init()
    math.randomseed(seed)
    wrk.headers["Content-Type"] = "application/json"
    for line in io.lines(os.getenv("BODIES")) do
        local adapter, ids = line:match("^(%d+)\t(.*)$")
        local body = '{"hotel":"' .. ids .. '"}'
        requests[#requests + 1] = wrk.format("POST", "/v1/tour/sourceInfo?adapter_id=" .. adapter, nil, body)
    end
end

function request()
    return requests[math.random(#requests)]
end
