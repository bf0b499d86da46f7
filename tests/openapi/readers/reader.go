// Reads every answer of the two APIs as a team writes it by hand: structs, encoding/json with DisallowUnknownFields, pointers where
// docs/contract.md's table of nulls says so. Go makes an empty value of a null, or of a member that is missing: so those two are checked by
// `required`, by reflection, for what is no pointer.
// reader FILE: lines of an operation, a tab, the body. reader: requests to the server of BASE.
package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"reflect"
	"regexp"
	"strings"
)

// API A
type A[T any] struct {
	Data T `json:"data"`
}
type Operator struct {
	ID   int64  `json:"id"`
	Name string `json:"name"`
	Code string `json:"code"`
}
type Named struct {
	ID   int64  `json:"id"`
	Name string `json:"name"`
}
type Described struct {
	ID          int64   `json:"id"`
	Name        string  `json:"name"`
	Description *string `json:"description"`
}
type Country struct {
	ID        int64  `json:"id"`
	Name      string `json:"name"`
	IsoAlpha2 string `json:"iso_alpha_2"`
}
type Main struct {
	Operators map[string]Operator `json:"operators"`
	Countries map[string]struct {
		ID        int64  `json:"id"`
		Name      string `json:"name"`
		IsoAlpha2 string `json:"iso_alpha_2"`
		Ico       struct {
			Square string `json:"1x1"`
			Wide   string `json:"4x3"`
		} `json:"ico"`
	} `json:"countries"`
	DepCities map[string]struct {
		ID      int64   `json:"id"`
		Name    string  `json:"name"`
		Country Country `json:"country"`
	} `json:"dep_cities"`
	HotelCategories map[string]Described `json:"hotel_categories"`
	Meals           map[string]Described `json:"meals"`
	Currencies      map[string]struct {
		ID      int64  `json:"id"`
		Name    string `json:"name"`
		IsoCode string `json:"iso_code"`
	} `json:"currencies"`
}
type Hotels struct {
	Operators map[string]Operator `json:"operators"`
	Cities    map[int64]struct {
		ID           int64  `json:"id"`
		Title        string `json:"title"`
		CountryID    int64  `json:"country_id,string"`
		CountryTitle string `json:"country_title"`
	} `json:"cities"`
	Resorts map[int64]Named `json:"resorts"`
	Hotels  map[int64]struct {
		ID        int64     `json:"id"`
		Name      string    `json:"name"`
		CountryID int64     `json:"country_id,string"`
		CityID    int64     `json:"city_id,string"`
		Category  Described `json:"hotel_category"`
	} `json:"hotels"`
}

// API B
type B[T any] struct {
	Status string `json:"status"`
	Data   T      `json:"data"`
}
type Reference struct {
	Status string `json:"status"`
	Data   struct {
		Operator []Named `json:"operator"`
		Country  []Named `json:"country"`
		DepCity  []struct {
			ID      int64  `json:"id"`
			Name    string `json:"name"`
			Country Named  `json:"country"`
		} `json:"dep_city"`
		HotelCategory []Described `json:"hotel_category"`
		Meal          []Described `json:"meal"`
		Currency      []Named     `json:"currency"`
	} `json:"data"`
	Items []struct {
		Kind string `json:"kind"`
		ID   int64  `json:"id"`
		Name string `json:"name"`
	} `json:"items"`
}
type ReferenceData struct {
	City []struct {
		ID        int64  `json:"id"`
		Name      string `json:"name"`
		CountryID int64  `json:"country_id"`
	} `json:"city"`
	Hotel []struct {
		ID        int64     `json:"id"`
		Name      string    `json:"name"`
		CountryID int64     `json:"country_id"`
		CityID    int64     `json:"city_id"`
		Category  Described `json:"hotel_category"`
	} `json:"hotel"`
}
type Mapped struct {
	ID     string `json:"id"`
	Source *struct {
		ID            string  `json:"id"`
		Name          string  `json:"name"`
		IsoCode       *string `json:"iso_code"`
		CategoryID    *string `json:"category_id"`
		CategoryTitle *string `json:"category_title"`
		CountryID     *string `json:"country_id"`
		CountryTitle  *string `json:"country_title"`
		CityID        *string `json:"city_id"`
		CityTitle     *string `json:"city_title"`
	} `json:"source"`
	Dict *Dict `json:"dict"`
}
type Dict struct {
	ID           int64   `json:"id"`
	Name         string  `json:"name"`
	IsoCode      string  `json:"iso_code,omitempty"`
	Description  *string `json:"description"`
	CountryID    int64   `json:"country_id,omitempty"`
	CountryName  *string `json:"country_name"`
	CityID       int64   `json:"city_id,omitempty"`
	CityName     *string `json:"city_name"`
	CategoryID   int64   `json:"hotel_category_id,omitempty"`
	CategoryName *string `json:"hotel_category_name"`
}
type Adapter struct {
	ID   int64  `json:"id"`
	Code string `json:"code"`
	Name string `json:"name"`
}

// OrigID is an integer or a text, in one array.
type OrigID struct{ Text string }

func (o *OrigID) UnmarshalJSON(value []byte) error {
	if len(value) > 0 && value[0] == '"' {
		return json.Unmarshal(value, &o.Text)
	}
	var number int64
	err := json.Unmarshal(value, &number)
	o.Text = string(value)
	return err
}

type Orig struct {
	DictID  int64   `json:"dict_id"`
	OrigID  OrigID  `json:"orig_id"`
	Resort  bool    `json:"is_resort,omitempty"`
	Title   string  `json:"orig_title,omitempty"`
	IsoCode *string `json:"orig_iso_code"`
}
type SourceData struct {
	Adapter       Adapter `json:"adapter"`
	DepCity       *Orig   `json:"dep_city"`
	Country       *Orig   `json:"country"`
	City          []Orig  `json:"city"`
	Hotel         []Orig  `json:"hotel"`
	HotelCategory []Orig  `json:"hotel_category"`
	Meal          []Orig  `json:"meal"`
	Currency      *Orig   `json:"currency"`
}
type Check struct {
	HotelOrigID string `json:"hotel_orig_id"`
	AdapterID   int64  `json:"adapter_id"`
	Adapter     struct {
		Code string `json:"code"`
		Name string `json:"name"`
	} `json:"adapter"`
}
type Texts map[string]string
type Description struct {
	Adapter struct {
		ID   int64   `json:"id"`
		Code string  `json:"code"`
		Name string  `json:"name"`
		Logo *string `json:"logo"`
	} `json:"adapter"`
	Hotel *struct {
		ID       int64    `json:"id"`
		Title    string   `json:"title"`
		Country  Texts    `json:"country"`
		City     Texts    `json:"city"`
		Category *string  `json:"hotel_category"`
		Lat      *float64 `json:"lat"`
		Lng      *float64 `json:"lng"`
		Type     Texts    `json:"hotel_type"`
		Address  *string  `json:"address"`
		Zip      *string  `json:"zip"`
	} `json:"hotel"`
	OrigHotel struct {
		OrigID    string   `json:"orig_id"`
		Title     string   `json:"title"`
		Country   *string  `json:"country"`
		City      *string  `json:"city"`
		Category  *string  `json:"hotel_category"`
		Address   *string  `json:"address"`
		CheckIn   *string  `json:"check_in"`
		CheckOut  *string  `json:"check_out"`
		RoomCount *int64   `json:"room_count"`
		URL       *string  `json:"url"`
		Zip       *string  `json:"zip"`
		Lat       *float64 `json:"lat"`
		Lng       *float64 `json:"lng"`
	} `json:"orig_hotel"`
	Texts []struct {
		Type            Texts `json:"type"`
		OrigType        Texts `json:"orig_type"`
		OrigDescription Texts `json:"orig_description"`
	} `json:"hotel_description"`
	Facilities []struct {
		Group     Texts `json:"facility_group"`
		OrigGroup Texts `json:"orig_facility_group"`
		Data      []struct {
			Type      Texts   `json:"facility_type"`
			OrigType  Texts   `json:"orig_facility_type"`
			ValueType *string `json:"value_type"`
			Value     *string `json:"value"`
		} `json:"data"`
	} `json:"hotel_facility"`
	Photos []struct {
		URL    string `json:"url_orig"`
		IsMain bool   `json:"is_main"`
	} `json:"hotel_photo"`
}
type Added struct {
	Source *struct {
		ID           string  `json:"id"`
		Name         string  `json:"name"`
		IsoCode      *string `json:"iso_code"`
		IsResort     bool    `json:"is_resort,omitempty"`
		CategoryID   *string `json:"category_id"`
		CategoryName string  `json:"category_name,omitempty"`
		CountryID    *string `json:"country_id"`
		CountryName  *string `json:"country_name"`
		CityID       *string `json:"city_id"`
		CityName     string  `json:"city_name,omitempty"`
	} `json:"source"`
	Dict  *Dict `json:"dict"`
	Error *struct {
		Code    int    `json:"code"`
		Reason  string `json:"reason"`
		Message string `json:"message"`
	} `json:"error"`
}
type ByKind[T any] struct {
	Country       T `json:"country,omitempty"`
	DepCity       T `json:"dep_city,omitempty"`
	Currency      T `json:"currency,omitempty"`
	City          T `json:"city,omitempty"`
	Meal          T `json:"meal,omitempty"`
	HotelCategory T `json:"hotel_category,omitempty"`
	Hotel         T `json:"hotel,omitempty"`
}
type SourceAdd struct {
	Language string  `json:"language"`
	Adapter  Adapter `json:"adapter"`
	ByKind[map[string]Added]
}
type Part struct {
	ID   *int64  `json:"id"`
	Name *string `json:"name"`
}
type ComparedOne struct {
	ID       *int64  `json:"id"`
	Name     string  `json:"name"`
	IsoCode  *string `json:"iso_code"`
	Category *Part   `json:"hotel_category"`
	Country  *Part   `json:"country"`
	City     *Part   `json:"city"`
}
type Compared struct {
	Language string  `json:"language"`
	Adapter  Adapter `json:"adapter"`
	ByKind[map[string]ComparedOne]
}

// air
type CodeTitle struct {
	Code  string `json:"code"`
	Title string `json:"title"`
}
type Place struct {
	SourceID    int64      `json:"source_id"`
	Language    string     `json:"language"`
	Type        string     `json:"type"`
	Code        string     `json:"code"`
	Title       string     `json:"title"`
	City        *CodeTitle `json:"city"`
	Country     CodeTitle  `json:"country"`
	Coordinates *struct {
		Lat float64 `json:"lat"`
		Lng float64 `json:"lng"`
	} `json:"coordinates"`
}
type AirAdapter struct {
	ID    int64  `json:"id"`
	Code  string `json:"code"`
	Title string `json:"title"`
}
type AirDetails struct {
	Adapters map[int64]AirAdapter `json:"adapters"`
	Items    map[int64]struct {
		Place
		Adapters []struct {
			AdapterID int64                      `json:"adapter_id"`
			Data      map[string]json.RawMessage `json:"data"` // its numbers have any size
		} `json:"adapters"`
	} `json:"items"`
}
type AirCompared struct {
	Language string `json:"language"`
	Request  struct {
		LangCode   string     `json:"lang_code"`
		IataCode   *string    `json:"iata_code"`
		ExternalID *OrigID    `json:"external_id"`
		Title      *string    `json:"title"`
		Adapter    AirAdapter `json:"adapter"`
	} `json:"request"`
	Compared struct {
		SourceID    *int64     `json:"source_id"`
		Language    string     `json:"language"`
		Type        *string    `json:"type"`
		Code        *string    `json:"code"`
		Title       *string    `json:"title"`
		City        *CodeTitle `json:"city"`
		Country     *CodeTitle `json:"country"`
		Coordinates *struct {
			Lat float64 `json:"lat"`
			Lng float64 `json:"lng"`
		} `json:"coordinates"`
	} `json:"compared"`
}
type Failed struct {
	Status string `json:"status"`
	Error  struct {
		Code    int     `json:"code"`
		Reason  string  `json:"reason"`
		Field   *string `json:"field"`
		Message string  `json:"message"`
	} `json:"error"`
}

// required says what of the type is missing or null in the JSON that was decoded into it: what Go itself lets pass.
func required(kind reflect.Type, value any, at string) error {
	if kind == reflect.TypeOf(OrigID{}) || kind == reflect.TypeOf(json.RawMessage{}) {
		return nil
	}
	switch kind.Kind() {
	case reflect.Pointer:
		if value == nil {
			return nil
		}
		return required(kind.Elem(), value, at)
	case reflect.Slice:
		for i, one := range value.([]any) {
			if err := required(kind.Elem(), one, fmt.Sprintf("%s[%d]", at, i)); err != nil {
				return err
			}
		}
	case reflect.Map:
		for name, one := range value.(map[string]any) {
			if err := required(kind.Elem(), one, at+"."+name); err != nil {
				return err
			}
		}
	case reflect.Struct:
		members := value.(map[string]any)
		for i := 0; i < kind.NumField(); i++ {
			field := kind.Field(i)
			name, more, _ := strings.Cut(field.Tag.Get("json"), ",")
			member, there := members[name]
			var err error
			switch {
			case field.Anonymous:
				err = required(field.Type, value, at)
			case !there && field.Type.Kind() != reflect.Pointer && more != "omitempty":
				err = fmt.Errorf("%s.%s is missing", at, name)
			case there && member == nil && field.Type.Kind() != reflect.Pointer:
				err = fmt.Errorf("%s.%s is null", at, name)
			case there:
				err = required(field.Type, member, at+"."+name)
			}
			if err != nil {
				return err
			}
		}
	}
	return nil
}

func read(body []byte, into any) error {
	decoder := json.NewDecoder(bytes.NewReader(body))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(into); err != nil {
		return err
	}
	var all any
	numbers := json.NewDecoder(bytes.NewReader(body))
	numbers.UseNumber() // those of suppliers may be beyond any float
	if err := numbers.Decode(&all); err != nil {
		return err
	}
	return required(reflect.TypeOf(into).Elem(), all, "")
}

var types = map[string]func() any{
	"mainReferences": func() any { return &A[Main]{} }, "mainReferencesOfCountry": func() any { return &A[Main]{} },
	"hotelReferences": func() any { return &A[Hotels]{} }, "reference": func() any { return &Reference{} },
	"referenceData": func() any { return &B[ReferenceData]{} }, "sourceInfo": func() any { return &B[ByKind[[]Mapped]]{} },
	"sourceData": func() any { return &B[SourceData]{} }, "hotelCheck": func() any { return &B[[]Check]{} },
	"hotelDescription": func() any { return &B[Description]{} }, "sourceAdd": func() any { return &B[SourceAdd]{} },
	"tourCompared": func() any { return &B[Compared]{} }, "aviaDetail": func() any { return &B[AirDetails]{} },
	"aviaReference": func() any {
		return &B[struct {
			Items []Place `json:"items"`
		}]{}
	},
	"aviaCompared": func() any { return &B[AirCompared]{} }, "aviaComparedIn": func() any { return &B[AirCompared]{} },
	"error": func() any { return &Failed{} },
}

func readAll(name string) map[string]int {
	file, err := os.Open(name)
	must(err)
	lines, count := bufio.NewReader(file), map[string]int{}
	for {
		line, err := lines.ReadString('\n')
		if err == io.EOF {
			return count
		}
		must(err)
		operation, body, _ := strings.Cut(line, "\t")
		if err := read([]byte(body), types[operation]()); err != nil {
			fmt.Fprintf(os.Stderr, "%s: %s\n  %s", operation, err, body)
			os.Exit(1)
		}
		count[operation]++
	}
}

func must(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// ask decodes the answer into `into`, unless it has no body, and returns its status and headers.
func ask(method, path, body string, into any, headers ...string) (int, http.Header) {
	request, err := http.NewRequest(method, os.Getenv("BASE")+path, strings.NewReader(body))
	must(err)
	for i := 0; i < len(headers); i += 2 {
		request.Header.Set(headers[i], headers[i+1])
	}
	answer, err := http.DefaultClient.Do(request)
	must(err)
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	must(err)
	if into != nil || len(text) > 0 {
		must(read(text, into))
	}
	return answer.StatusCode, answer.Header
}

func askAll() map[string]any {
	key := []string{"X-Service-Api-Key", os.Getenv("KEY_B")}
	var list Reference
	var none, many Failed
	var found A[Hotels]
	_, head := ask("GET", "/v1/tour/reference", "", &list, key...)
	again, _ := ask("GET", "/v1/tour/reference", "", nil, append(key, "If-None-Match", head.Get("ETag"))...)
	refused, _ := ask("GET", "/v1/tour/hotelDescription?adapter_id=999&hotel_orig_id=1", "", &none, key...)
	ask("GET", "/api/v1/tour/hotel-references?dep_city=11&country=1", "", &found, "X-Api-Key", os.Getenv("KEY_A"))
	limited, head := ask("POST", "/v1/tour/sourceAdd", `{"adapter_id":7,"lang_code":"en","meal":[{"id":1,"name":"A"},{"id":2,"name":"B"}]}`, &many,
		"Content-Type", "application/json", "X-Service-Api-Key", os.Getenv("KEY_FEW"), "X-Service-Api-Secret", os.Getenv("SECRET_FEW"))
	seconds := regexp.MustCompile(`^\d+$`).MatchString(head.Get("Retry-After"))
	return map[string]any{"meals": len(list.Data.Meal), "unchanged": []any{again, ""}, "refused": []any{refused, none.Error.Reason, none.Error.Field},
		"empty":   []int{len(found.Data.Operators), len(found.Data.Cities), len(found.Data.Resorts), len(found.Data.Hotels)},
		"limited": []any{limited, many.Error.Reason, seconds}}
}

func main() {
	var told any
	if len(os.Args) > 1 {
		told = readAll(os.Args[1])
	} else {
		told = askAll()
	}
	text, err := json.Marshal(told)
	must(err)
	fmt.Println(string(text))
}
