// Reads every answer of the two APIs as a team writes it by hand: records, Jackson as it is (unknown members, and null for a
// primitive, are errors), a boxed type or an object only where docs/contract.md's table of nulls says so.
// java -cp /usr/share/java/jackson-databind.jar:... Reader.java FILE: lines of an operation, a tab, the body.
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.MapperFeature;
import com.fasterxml.jackson.databind.cfg.CoercionAction;
import com.fasterxml.jackson.databind.cfg.CoercionInputShape;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.type.LogicalType;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;

public class Reader {
  // API A
  record A<T>(T data) {}
  record Operator(long id, String name, String code) {}
  record Flags(@JsonProperty("1x1") String square, @JsonProperty("4x3") String wide) {}
  record FormCountry(long id, String name, String iso_alpha_2, Flags ico) {}
  record CityCountry(long id, String name, String iso_alpha_2) {}
  record FormDepCity(long id, String name, CityCountry country) {}
  record FormNamed(long id, String name, String description) {}
  record FormCurrency(long id, String name, String iso_code) {}
  record Main(Map<String, Operator> operators, Map<String, FormCountry> countries, Map<String, FormDepCity> dep_cities,
      Map<String, FormNamed> hotel_categories, Map<String, FormNamed> meals, Map<String, FormCurrency> currencies) {}
  record FormCity(long id, String title, String country_id, String country_title) {}
  record IdName(long id, String name) {}
  record Category(long id, String name, String description) {}
  record FormHotel(long id, String name, String country_id, String city_id, Category hotel_category) {}
  record Hotels(Map<String, Operator> operators, Map<Long, FormCity> cities, Map<Long, IdName> resorts, Map<Long, FormHotel> hotels) {}

  // API B
  record B<T>(String status, T data) {}
  record WithItems<T>(String status, T data, List<Item> items) {}
  record Item(String kind, long id, String name) {}
  record DepCity(long id, String name, IdName country) {}
  record Reference(List<IdName> operator, List<IdName> country, List<DepCity> dep_city, List<Category> hotel_category, List<Category> meal,
      List<IdName> currency) {}
  record City(long id, String name, long country_id) {}
  record Hotel(long id, String name, long country_id, long city_id, Category hotel_category) {}
  record ReferenceData(List<City> city, List<Hotel> hotel) {}
  record Adapter(long id, String code, String name) {}
  record Source(String id, String name, String iso_code, String category_id, String category_title, String country_id, String country_title,
      String city_id, String city_title) {}
  record Dict(long id, String name, String iso_code, String description, Long country_id, String country_name, Long city_id, String city_name,
      Long hotel_category_id, String hotel_category_name) {}
  record Mapped(String id, Source source, Dict dict) {}
  record Orig(long dict_id, JsonNode orig_id, Boolean is_resort, String orig_title, String orig_iso_code) {
    Orig {
      if (!orig_id.isIntegralNumber() && !orig_id.isTextual()) throw new IllegalArgumentException("orig_id: " + orig_id);
    }
  }
  record SourceData(Adapter adapter, Orig dep_city, Orig country, List<Orig> city, List<Orig> hotel, List<Orig> hotel_category, List<Orig> meal,
      Orig currency) {}
  record CodeName(String code, String name) {}
  record Check(String hotel_orig_id, long adapter_id, CodeName adapter) {}
  record Logo(long id, String code, String name, String logo) {}
  record DescribedHotel(long id, String title, Map<String, String> country, Map<String, String> city, String hotel_category, Double lat, Double lng,
      Map<String, String> hotel_type, String address, String zip) {}
  record OrigHotel(String orig_id, String title, String country, String city, String hotel_category, String address, String check_in,
      String check_out, Integer room_count, String url, String zip, Double lat, Double lng) {}
  record Text(Map<String, String> type, Map<String, String> orig_type, Map<String, String> orig_description) {}
  record Facility(Map<String, String> facility_type, Map<String, String> orig_facility_type, String value_type, String value) {}
  record Facilities(Map<String, String> facility_group, Map<String, String> orig_facility_group, List<Facility> data) {}
  record Photo(String url_orig, boolean is_main) {}
  record Description(Logo adapter, DescribedHotel hotel, OrigHotel orig_hotel, List<Text> hotel_description, List<Facilities> hotel_facility,
      List<Photo> hotel_photo) {}
  record ElementError(int code, String reason, String message) {}
  record SentSource(String id, String name, String iso_code, Boolean is_resort, String category_id, String category_name, String country_id,
      String country_name, String city_id, String city_name) {}
  record Added(SentSource source, Dict dict, ElementError error) {
    Added {
      if ((source == null) == (error == null)) throw new IllegalArgumentException("neither source nor error");
    }
  }
  record SourceAdd(String language, Adapter adapter, Map<String, Added> country, Map<String, Added> dep_city, Map<String, Added> currency,
      Map<String, Added> city, Map<String, Added> meal, Map<String, Added> hotel_category, Map<String, Added> hotel) {}
  record Part(Long id, String name) {}
  record ComparedOne(Long id, String name, String iso_code, Part hotel_category, Part country, Part city) {}
  record Compared(String language, Adapter adapter, Map<String, ComparedOne> country, Map<String, ComparedOne> dep_city,
      Map<String, ComparedOne> currency, Map<String, ComparedOne> city, Map<String, ComparedOne> meal, Map<String, ComparedOne> hotel_category,
      Map<String, ComparedOne> hotel) {}

  // air
  record CodeTitle(String code, String title) {}
  record Coordinates(double lat, double lng) {}
  record AirItem(long source_id, String language, String type, String code, String title, CodeTitle city, CodeTitle country,
      Coordinates coordinates) {}
  record AirItems(List<AirItem> items) {}
  record AirAdapter(long id, String code, String title) {}
  record AirData(long adapter_id, Map<String, Object> data) {}
  record AirDetail(long source_id, String language, String type, String code, String title, CodeTitle city, CodeTitle country,
      Coordinates coordinates, List<AirData> adapters) {}
  record AirDetails(Map<Long, AirAdapter> adapters, Map<Long, AirDetail> items) {}
  record AirRequest(String lang_code, String iata_code, JsonNode external_id, String title, AirAdapter adapter) {}
  record AirFound(Long source_id, String language, String type, String code, String title, CodeTitle city, CodeTitle country,
      Coordinates coordinates) {}
  record AirCompared(String language, AirRequest request, AirFound compared) {}

  record Failure(int code, String reason, String field, String message) {}
  record Failed(String status, Failure error) {}

  static final Map<String, TypeReference<?>> TYPES = Map.ofEntries(
      Map.entry("mainReferences", new TypeReference<A<Main>>() {}), Map.entry("mainReferencesOfCountry", new TypeReference<A<Main>>() {}),
      Map.entry("hotelReferences", new TypeReference<A<Hotels>>() {}), Map.entry("reference", new TypeReference<WithItems<Reference>>() {}),
      Map.entry("referenceData", new TypeReference<B<ReferenceData>>() {}), Map.entry("sourceInfo", new TypeReference<B<Map<String, List<Mapped>>>>() {}),
      Map.entry("sourceData", new TypeReference<B<SourceData>>() {}), Map.entry("hotelCheck", new TypeReference<B<List<Check>>>() {}),
      Map.entry("hotelDescription", new TypeReference<B<Description>>() {}), Map.entry("sourceAdd", new TypeReference<B<SourceAdd>>() {}),
      Map.entry("tourCompared", new TypeReference<B<Compared>>() {}), Map.entry("aviaReference", new TypeReference<B<AirItems>>() {}),
      Map.entry("aviaDetail", new TypeReference<B<AirDetails>>() {}), Map.entry("aviaCompared", new TypeReference<B<AirCompared>>() {}),
      Map.entry("aviaComparedIn", new TypeReference<B<AirCompared>>() {}), Map.entry("error", new TypeReference<Failed>() {}));

  public static void main(String[] args) throws Exception {
    var json = JsonMapper.builder().enable(DeserializationFeature.FAIL_ON_NULL_FOR_PRIMITIVES, DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
        .disable(DeserializationFeature.ACCEPT_FLOAT_AS_INT).disable(MapperFeature.ALLOW_COERCION_OF_SCALARS).build();
    // A number is no text.
    for (var shape : List.of(CoercionInputShape.Integer, CoercionInputShape.Float, CoercionInputShape.Boolean))
      json.coercionConfigFor(LogicalType.Textual).setCoercion(shape, CoercionAction.Fail);
    var count = new TreeMap<String, Integer>();
    for (var line : (Iterable<String>) Files.lines(Path.of(args[0]))::iterator) {
      var parts = line.split("\t", 2);
      try {
        Objects.requireNonNull(json.readValue(parts[1], TYPES.get(parts[0])));
      } catch (Exception e) {
        System.err.println(parts[0] + ": " + e.getMessage() + "\n  " + parts[1]);
        System.exit(1);
      }
      count.merge(parts[0], 1, Integer::sum);
    }
    System.out.println(json.writeValueAsString(count));
  }
}
