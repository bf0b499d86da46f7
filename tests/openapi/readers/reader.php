<?php
// Reads every answer of the two APIs as a team writes it by hand: classes with typed properties, strict types, null only where
// docs/contract.md's table of nulls says so; a member that the class does not have is an error. No extension is needed.
// php reader.php FILE: lines of an operation, a tab, the body.
declare(strict_types=1);

/** Makes an object of a class from decoded JSON, or throws. `listOf` and `mapOf` name what is in an array. */
abstract class Shape
{
    /** property => class of the items of an array, or [class] of an object's */
    protected const OF = [];

    public static function read(stdClass $json): static
    {
        $made = new static();
        foreach ((new ReflectionClass($made))->getProperties() as $p) {
            $name = $p->getName();
            if (!property_exists($json, $name)) {
                if ($p->hasDefaultValue()) continue;
                throw new TypeError(static::class . "::$name is not there");
            }
            $value = $json->$name;
            $type = $p->getType();
            $class = $type instanceof ReflectionNamedType && !$type->isBuiltin() ? $type->getName() : null;
            if (isset(static::OF[$name])) {
                $of = static::OF[$name];
                if (is_array($of) ? !($value instanceof stdClass) : !is_array($value)) throw new TypeError(static::class . "::$name: " . json_encode($value));
                $inner = is_array($of) ? $of[0] : $of;
                $value = array_map(fn($one) => $inner === 'string' ? self::text($one) : $inner::read($one), (array) $value);
            } elseif ($class !== null && is_subclass_of($class, self::class) && $value !== null) {
                $value = $class::read($value);
            }
            $made->$name = $value;
        }
        foreach (get_object_vars($json) as $name => $_)
            if (!property_exists($made, $name)) throw new TypeError(static::class . " has no $name");
        return $made;
    }

    private static function text(mixed $value): string
    {
        return is_string($value) ? $value : throw new TypeError('no text: ' . json_encode($value));
    }
}

class Operator extends Shape { public int $id; public string $name; public string $code; }
class Ico extends Shape {
    public static function read(stdClass $json): static { if (!is_string($json->{'1x1'}) || !is_string($json->{'4x3'})) throw new TypeError('ico'); return new static(); }
}
class FormCountry extends Shape { public int $id; public string $name; public string $iso_alpha_2; public Ico $ico; }
class CityCountry extends Shape { public int $id; public string $name; public string $iso_alpha_2; }
class FormDepCity extends Shape { public int $id; public string $name; public CityCountry $country; }
class Named extends Shape { public int $id; public string $name; public ?string $description = null; }
class FormCurrency extends Shape { public int $id; public string $name; public string $iso_code; }
class Main extends Shape {
    protected const OF = ['operators' => ['Operator'], 'countries' => ['FormCountry'], 'dep_cities' => ['FormDepCity'], 'hotel_categories' => ['Named'],
        'meals' => ['Named'], 'currencies' => ['FormCurrency']];
    public array $operators; public array $countries; public array $dep_cities; public array $hotel_categories; public array $meals; public array $currencies;
}
class FormCity extends Shape { public int $id; public string $title; public string $country_id; public string $country_title; }
class FormHotel extends Shape { public int $id; public string $name; public string $country_id; public string $city_id; public Named $hotel_category; }
class Hotels extends Shape {
    protected const OF = ['operators' => ['Operator'], 'cities' => ['FormCity'], 'resorts' => ['IdName'], 'hotels' => ['FormHotel']];
    public array $operators; public array $cities; public array $resorts; public array $hotels;
}
class IdName extends Shape { public int $id; public string $name; }
class Item extends Shape { public string $kind; public int $id; public string $name; }
class DepCity extends Shape { public int $id; public string $name; public IdName $country; }
class Reference extends Shape {
    protected const OF = ['operator' => 'IdName', 'country' => 'IdName', 'dep_city' => 'DepCity', 'hotel_category' => 'Named', 'meal' => 'Named', 'currency' => 'IdName'];
    public array $operator; public array $country; public array $dep_city; public array $hotel_category; public array $meal; public array $currency;
}
class City extends Shape { public int $id; public string $name; public int $country_id; }
class Hotel extends Shape { public int $id; public string $name; public int $country_id; public int $city_id; public Named $hotel_category; }
class ReferenceData extends Shape { protected const OF = ['city' => 'City', 'hotel' => 'Hotel']; public array $city; public array $hotel; }
class Adapter extends Shape { public int $id; public string $code; public string $name; }
class Source extends Shape {
    public string $id; public string $name; public ?string $iso_code = null; public ?string $category_id = null; public ?string $category_title = null;
    public ?string $country_id = null; public ?string $country_title = null; public ?string $city_id = null; public ?string $city_title = null;
}
class Dict extends Shape {
    public int $id; public string $name; public string $iso_code = ''; public ?string $description = null; public int $country_id = 0;
    public ?string $country_name = null; public int $city_id = 0; public ?string $city_name = null; public int $hotel_category_id = 0;
    public ?string $hotel_category_name = null;
}
class Mapped extends Shape { public string $id; public ?Source $source; public ?Dict $dict; }
class SourceInfo extends Shape {
    protected const OF = ['country' => 'Mapped', 'dep_city' => 'Mapped', 'currency' => 'Mapped', 'city' => 'Mapped', 'meal' => 'Mapped',
        'hotel_category' => 'Mapped', 'hotel' => 'Mapped'];
    public array $country = []; public array $dep_city = []; public array $currency = []; public array $city = []; public array $meal = [];
    public array $hotel_category = []; public array $hotel = [];
}
class Orig extends Shape {
    public int $dict_id; public int|string $orig_id; public bool $is_resort = false; public string $orig_title = ''; public ?string $orig_iso_code = null;
}
class SourceData extends Shape {
    protected const OF = ['city' => 'Orig', 'hotel' => 'Orig', 'hotel_category' => 'Orig', 'meal' => 'Orig'];
    public Adapter $adapter; public ?Orig $dep_city; public ?Orig $country; public array $city; public array $hotel; public array $hotel_category;
    public array $meal; public ?Orig $currency;
}
class CodeName extends Shape { public string $code; public string $name; }
class Check extends Shape { public string $hotel_orig_id; public int $adapter_id; public CodeName $adapter; }
class Logo extends Shape { public int $id; public string $code; public string $name; public ?string $logo; }
class DescribedHotel extends Shape {
    protected const OF = ['country' => ['string'], 'city' => ['string'], 'hotel_type' => ['string']];
    public int $id; public string $title; public array $country; public array $city; public ?string $hotel_category; public ?float $lat;
    public ?float $lng; public array $hotel_type; public ?string $address; public ?string $zip;
}
class OrigHotel extends Shape {
    public string $orig_id; public string $title; public ?string $country; public ?string $city; public ?string $hotel_category; public ?string $address;
    public ?string $check_in; public ?string $check_out; public ?int $room_count; public ?string $url; public ?string $zip; public ?float $lat; public ?float $lng;
}
class Text extends Shape {
    protected const OF = ['type' => ['string'], 'orig_type' => ['string'], 'orig_description' => ['string']];
    public array $type; public array $orig_type; public array $orig_description;
}
class Facility extends Shape {
    protected const OF = ['facility_type' => ['string'], 'orig_facility_type' => ['string']];
    public array $facility_type; public array $orig_facility_type; public ?string $value_type; public ?string $value;
}
class Facilities extends Shape {
    protected const OF = ['facility_group' => ['string'], 'orig_facility_group' => ['string'], 'data' => 'Facility'];
    public array $facility_group; public array $orig_facility_group; public array $data;
}
class Photo extends Shape { public string $url_orig; public bool $is_main; }
class Description extends Shape {
    protected const OF = ['hotel_description' => 'Text', 'hotel_facility' => 'Facilities', 'hotel_photo' => 'Photo'];
    public Logo $adapter; public ?DescribedHotel $hotel; public OrigHotel $orig_hotel; public array $hotel_description; public array $hotel_facility;
    public array $hotel_photo;
}
class ElementError extends Shape { public int $code; public string $reason; public string $message; }
class SentSource extends Shape {
    public string $id; public string $name; public ?string $iso_code = null; public bool $is_resort = false; public ?string $category_id = null;
    public string $category_name = ''; public ?string $country_id = null; public ?string $country_name = null; public ?string $city_id = null;
    public string $city_name = '';
}
class Added extends Shape { public ?SentSource $source = null; public ?Dict $dict = null; public ?ElementError $error = null; }
class SourceAdd extends Shape {
    protected const OF = ['country' => ['Added'], 'dep_city' => ['Added'], 'currency' => ['Added'], 'city' => ['Added'], 'meal' => ['Added'],
        'hotel_category' => ['Added'], 'hotel' => ['Added']];
    public string $language; public Adapter $adapter; public array $country = []; public array $dep_city = []; public array $currency = [];
    public array $city = []; public array $meal = []; public array $hotel_category = []; public array $hotel = [];
}
class Part extends Shape { public ?int $id; public ?string $name; }
class ComparedOne extends Shape {
    public ?int $id; public string $name; public ?string $iso_code = null; public ?Part $hotel_category = null; public ?Part $country = null; public ?Part $city = null;
}
class Compared extends Shape {
    protected const OF = ['country' => ['ComparedOne'], 'dep_city' => ['ComparedOne'], 'currency' => ['ComparedOne'], 'city' => ['ComparedOne'],
        'meal' => ['ComparedOne'], 'hotel_category' => ['ComparedOne'], 'hotel' => ['ComparedOne']];
    public string $language; public Adapter $adapter; public array $country = []; public array $dep_city = []; public array $currency = [];
    public array $city = []; public array $meal = []; public array $hotel_category = []; public array $hotel = [];
}
class CodeTitle extends Shape { public string $code; public string $title; }
class Coordinates extends Shape { public float $lat; public float $lng; }
class AirItem extends Shape {
    public int $source_id; public string $language; public string $type; public string $code; public string $title; public ?CodeTitle $city;
    public CodeTitle $country; public ?Coordinates $coordinates;
}
class AirItems extends Shape { protected const OF = ['items' => 'AirItem']; public array $items; }
class AirAdapter extends Shape { public int $id; public string $code; public string $title; }
class AirData extends Shape { public int $adapter_id; public stdClass $data; }
class AirDetail extends AirItem { protected const OF = ['adapters' => 'AirData']; public array $adapters; }
class AirDetails extends Shape { protected const OF = ['adapters' => ['AirAdapter'], 'items' => ['AirDetail']]; public array $adapters; public array $items; }
class AirRequest extends Shape {
    public string $lang_code; public ?string $iata_code; public int|string|null $external_id; public ?string $title; public AirAdapter $adapter;
}
class AirFound extends Shape {
    public ?int $source_id; public string $language; public ?string $type; public ?string $code; public ?string $title; public ?CodeTitle $city;
    public ?CodeTitle $country; public ?Coordinates $coordinates;
}
class AirCompared extends Shape { public string $language; public AirRequest $request; public AirFound $compared; }
class Failure extends Shape { public int $code; public string $reason; public ?string $field; public string $message; }
class Failed extends Shape { public string $status; public Failure $error; }

const CLASSES = ['mainReferences' => 'Main', 'mainReferencesOfCountry' => 'Main', 'hotelReferences' => 'Hotels', 'reference' => 'Reference',
    'referenceData' => 'ReferenceData', 'sourceInfo' => 'SourceInfo', 'sourceData' => 'SourceData', 'hotelCheck' => 'Check',
    'hotelDescription' => 'Description', 'sourceAdd' => 'SourceAdd', 'tourCompared' => 'Compared', 'aviaReference' => 'AirItems',
    'aviaDetail' => 'AirDetails', 'aviaCompared' => 'AirCompared', 'aviaComparedIn' => 'AirCompared'];

$count = [];
foreach (new SplFileObject($argv[1]) as $line) {
    if ($line === '') continue;
    [$operation, $body] = explode("\t", rtrim($line, "\n"), 2);
    try {
        $json = json_decode($body, false, 512, JSON_THROW_ON_ERROR);
        if ($operation === 'error') Failed::read($json);
        elseif ($operation === 'hotelCheck') array_map(fn($one) => Check::read($one), $json->data);
        else CLASSES[$operation]::read($json->data);
        if ($operation === 'reference') array_map(fn($one) => Item::read($one), $json->items);
    } catch (Throwable $e) {
        fwrite(STDERR, "$operation: {$e->getMessage()}\n  $body\n");
        exit(1);
    }
    $count[$operation] = ($count[$operation] ?? 0) + 1;
}
ksort($count);
echo json_encode($count), "\n";
