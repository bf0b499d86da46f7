<?php
// Asks as most PHP programs do: curl, arrays of json_decode(…, true), functions with types. php client.php: requests to the server of BASE.
// An empty map and an empty list are the same array here, and keys of digits are integers.
declare(strict_types=1);

/** @return array{0: int, 1: array<string, string>, 2: ?array} status, headers, body */
function ask(string $path, array $headers, ?array $body = null): array
{
    $told = [];
    $curl = curl_init(getenv('BASE') . $path);
    curl_setopt_array($curl, [
        CURLOPT_RETURNTRANSFER => true, CURLOPT_ENCODING => '', CURLOPT_HTTPHEADER => $headers,
        CURLOPT_HEADERFUNCTION => function ($curl, string $line) use (&$told): int {
            if (preg_match('/^([^:]+): (.*?)\r?\n?$/', $line, $found)) $told[strtolower($found[1])] = $found[2];
            return strlen($line);
        },
    ]);
    if ($body !== null) curl_setopt($curl, CURLOPT_POSTFIELDS, json_encode($body, JSON_THROW_ON_ERROR));
    $text = curl_exec($curl);
    if ($text === false) throw new RuntimeException(curl_error($curl));
    $status = curl_getinfo($curl, CURLINFO_RESPONSE_CODE);
    return [$status, $told, $text === '' ? null : json_decode($text, true, 512, JSON_THROW_ON_ERROR)];
}

function error(array $answer): array
{
    return (fn(int $code, string $reason, ?string $field, string $message) => [$code, $reason, $field])(...$answer['error']);
}

$key = 'X-Service-Api-Key: ' . getenv('KEY_B');
[, $headers, $list] = ask('/v1/tour/reference', [$key]);
$meal = fn(int $id, string $name, ?string $description = null): int => $id;
$meals = count(array_map(fn(array $one): int => $meal(...$one), $list['data']['meal']));
[$again, , $nothing] = ask('/v1/tour/reference', [$key, "If-None-Match: $headers[etag]"]);
[, , $none] = ask('/v1/tour/hotelDescription?adapter_id=999&hotel_orig_id=1', [$key]);
[, , $found] = ask('/api/v1/tour/hotel-references?dep_city=11&country=1', ['X-Api-Key: ' . getenv('KEY_A')]);
[$limited, $headers, $many] = ask('/v1/tour/sourceAdd', ['Content-Type: application/json', 'X-Service-Api-Key: ' . getenv('KEY_FEW'),
    'X-Service-Api-Secret: ' . getenv('SECRET_FEW')], ['adapter_id' => 7, 'lang_code' => 'en', 'meal' => [['id' => 1, 'name' => 'A'], ['id' => 2, 'name' => 'B']]]);
echo json_encode(['meals' => $meals, 'unchanged' => [$again, $nothing ?? ''], 'refused' => error($none), 'empty' => array_map('count', array_values($found['data'])),
    'limited' => [$limited, error($many)[1], ctype_digit($headers['retry-after'] ?? '')]], JSON_THROW_ON_ERROR), "\n";
