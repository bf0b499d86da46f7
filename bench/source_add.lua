-- For wrk: sourceAdd requests of SIZE new hotels each. RUN makes the ids of one run differ from those of others.
local size, run = tonumber(os.getenv("SIZE")), os.getenv("RUN")
local threads, number = 0, 0

function setup(thread)
    thread:set("prefix", run .. "-" .. threads .. "-")
    threads = threads + 1
end

function init()
    wrk.headers["Content-Type"] = "application/json"
end

function request()
    local part = {}
    for i = 1, size do
        number = number + 1
        -- Odd multiplier: each number once, in an order that is no order.
        local id = number * 40503 % 16777216
        part[i] = '{"id":"' .. prefix .. id .. '","name":"Hotel Number ' .. number
            .. ' Resort & Spa","category_id":"5","category_name":"HV-1/5*","country_id":"90","country_name":"TURKEY",'
            .. '"city_id":"' .. number % 500 .. '","city_name":"City of ' .. number % 500 .. '"}'
    end
    return wrk.format("POST", "/v1/tour/sourceAdd", nil,
        '{"adapter_id":101,"lang_code":"en","hotel":[' .. table.concat(part, ",") .. "]}")
end
