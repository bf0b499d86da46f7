// The words of the form in its languages. English stands in demo.html too, for as long as this file is on its way.

export const LANGUAGES = { en: "English", de: "Deutsch", tr: "Türkçe", uk: "Українська", ar: "العربية" };
const RIGHT_TO_LEFT = new Set(["ar"]);

const WORDS = {
  en: {
    skip: "To the content", pages: "Pages", form: "Search form", reference: "API reference", language: "Language",
    title: "Where to?", lead: "A search form as a good client builds it: everything comes from the public API.",
    keys: "Your API keys", keyA: "Key of API A", keyB: "Key of API B", useKeys: "Use these keys",
    noKey: "No key yet? An administrator makes one here:", keysPage: "People and keys",
    byCommand: "The server’s operator creates one with:",
    keysWhy: "Type a key of each API. They stay in this page.",
    from: "From", to: "To", place: "Place", anywhere: "Anywhere", currency: "Currency", category: "Category", meals: "Meals",
    hotels: "Hotels: {n}", hotelName: "Hotel name", more: "Show more", anything: "Show everything",
    noneFits: "No hotel fits. Other categories, places or names may.", noneThere: "No hotels here. Try another city or country.",
    noneCalled: "Nothing is called so.", noLists: "There are no cities and countries yet: import some data.",
    route: "Suppliers on this route: {names}", routeNone: "No supplier says that it serves this route, so every hotel is shown.",
    air: "Airport or city", airLead: "Suggestions with each keystroke: any language, codes, typing errors too.",
    airNone: "Nothing is called so. Try another spelling or the code.", airSaid: "Suggestions: {n}, painted after {ms} ms",
    translate: "Translate supplier ids", translateLead: "What do a supplier’s ids stand for in the common reference?",
    supplier: "Supplier", kind: "Kind", ids: "Ids, with commas or new lines between", go: "Translate", example: "Take an example",
    id: "Id", source: "The supplier says", dict: "Reference", state: "State",
    mapped: "mapped", open: "not mapped", unknown: "unknown id",
    translated: "Ids: {n} in {ms} ms. Mapped: {mapped}, not mapped: {open}, unknown: {unknown}.",
    noIds: "Type an id first, or take an example.",
    kind_hotel: "Hotels", kind_city: "Cities and resorts", kind_country: "Countries", kind_dep_city: "Departure cities",
    kind_meal: "Meals", kind_hotel_category: "Hotel categories", kind_currency: "Currencies",
    loading: "The server is loading its data …", asking: "Asking …", slow: "This takes longer than usual …",
    away: "The server does not answer. Is it running, and are you online?", keyBad: "The server does not take this key.",
    failed: "The server says: {message}", again: "Try again",
  },
  de: {
    skip: "Zum Inhalt", pages: "Seiten", form: "Suchformular", reference: "API-Referenz", language: "Sprache",
    title: "Wohin soll es gehen?", lead: "Ein Suchformular, wie ein guter Client es baut: Alles kommt aus der öffentlichen API.",
    keys: "Ihre API-Schlüssel", keyA: "Schlüssel der API A", keyB: "Schlüssel der API B", useKeys: "Diese Schlüssel verwenden",
    noKey: "Noch kein Schlüssel? Ein Administrator erstellt ihn hier:", keysPage: "Personen und Schlüssel",
    byCommand: "Wer diesen Server betreibt, erstellt ihn mit:",
    keysWhy: "Geben Sie je einen Schlüssel ein. Sie bleiben auf dieser Seite.",
    from: "Von", to: "Nach", place: "Ort", anywhere: "Überall", currency: "Währung", category: "Kategorie", meals: "Verpflegung",
    hotels: "Hotels: {n}", hotelName: "Name des Hotels", more: "Mehr zeigen", anything: "Alles zeigen",
    noneFits: "Kein Hotel passt. Versuchen Sie es mit anderen Kategorien, Orten oder Namen.",
    noneThere: "Hier gibt es keine Hotels. Versuchen Sie eine andere Stadt oder ein anderes Land.",
    noneCalled: "Nichts heißt so.", noLists: "Noch gibt es keine Städte und Länder: Importieren Sie Daten.",
    route: "Anbieter auf dieser Strecke: {names}", routeNone: "Kein Anbieter nennt diese Strecke; gezeigt werden alle Hotels.",
    air: "Flughafen oder Stadt", airLead: "Vorschläge bei jedem Tastendruck: in jeder Sprache, mit Codes, auch mit Tippfehlern.",
    airNone: "Nichts heißt so. Versuchen Sie eine andere Schreibweise oder den Code.",
    airSaid: "Vorschläge: {n}, gezeichnet nach {ms} ms",
    translate: "Ids von Anbietern übersetzen", translateLead: "Wofür stehen die Ids eines Anbieters in der gemeinsamen Referenz?",
    supplier: "Anbieter", kind: "Art", ids: "Ids, durch Kommas oder Zeilen getrennt", go: "Übersetzen", example: "Beispiel nehmen",
    id: "Id", source: "Der Anbieter sagt", dict: "Referenz", state: "Stand",
    mapped: "zugeordnet", open: "nicht zugeordnet", unknown: "unbekannte Id",
    translated: "Ids: {n} in {ms} ms. Zugeordnet: {mapped}, nicht zugeordnet: {open}, unbekannt: {unknown}.",
    noIds: "Geben Sie zuerst eine Id ein, oder nehmen Sie ein Beispiel.",
    kind_hotel: "Hotels", kind_city: "Städte und Ferienorte", kind_country: "Länder", kind_dep_city: "Abflugorte",
    kind_meal: "Verpflegung", kind_hotel_category: "Hotelkategorien", kind_currency: "Währungen",
    loading: "Der Server lädt seine Daten …", asking: "Frage …", slow: "Das dauert länger als sonst …",
    away: "Der Server antwortet nicht. Läuft er, und sind Sie online?", keyBad: "Der Server nimmt diesen Schlüssel nicht an.",
    failed: "Der Server sagt: {message}", again: "Noch einmal",
  },
  tr: {
    skip: "İçeriğe geç", pages: "Sayfalar", form: "Arama formu", reference: "API başvurusu", language: "Dil",
    title: "Nereye?", lead: "İyi bir istemcinin kuracağı bir arama formu: her şey herkese açık API’den gelir.",
    keys: "API anahtarlarınız", keyA: "API A anahtarı", keyB: "API B anahtarı", useKeys: "Bu anahtarları kullan",
    noKey: "Henüz anahtar yok mu? Bir yönetici burada oluşturur:", keysPage: "Kişiler ve anahtarlar",
    byCommand: "Bu sunucuyu işleten kişi şununla oluşturur:",
    keysWhy: "Her API için bir anahtar yazın. Bu sayfada kalırlar.",
    from: "Nereden", to: "Nereye", place: "Yer", anywhere: "Her yer", currency: "Para birimi", category: "Kategori", meals: "Yemek",
    hotels: "Otel: {n}", hotelName: "Otel adı", more: "Daha fazla göster", anything: "Hepsini göster",
    noneFits: "Uyan otel yok. Başka kategori, yer veya ad deneyin.", noneThere: "Burada otel yok. Başka bir şehir veya ülke deneyin.",
    noneCalled: "Bu adda bir şey yok.", noLists: "Henüz şehir ve ülke yok: veri içe aktarın.",
    route: "Bu güzergâhtaki sağlayıcılar: {names}",
    routeNone: "Bu güzergâhta hizmet verdiğini söyleyen sağlayıcı yok; bütün oteller gösteriliyor.",
    air: "Havalimanı veya şehir", airLead: "Her tuşta öneriler: her dilde, kodlarla, yazım hatalarıyla da.",
    airNone: "Bu adda bir şey yok. Başka bir yazım veya kodu deneyin.", airSaid: "Öneri: {n}, {ms} ms sonra çizildi",
    translate: "Sağlayıcı kimliklerini çevir", translateLead: "Bir sağlayıcının kimlikleri ortak başvuruda neyi gösterir?",
    supplier: "Sağlayıcı", kind: "Tür", ids: "Kimlikler, aralarında virgül veya satır sonu", go: "Çevir", example: "Örnek al",
    id: "Kimlik", source: "Sağlayıcı diyor ki", dict: "Başvuru", state: "Durum",
    mapped: "eşlendi", open: "eşlenmedi", unknown: "bilinmeyen kimlik",
    translated: "Kimlik: {n}, {ms} ms. Eşlenen: {mapped}, eşlenmeyen: {open}, bilinmeyen: {unknown}.",
    noIds: "Önce bir kimlik yazın veya örnek alın.",
    kind_hotel: "Oteller", kind_city: "Şehirler ve tatil yerleri", kind_country: "Ülkeler", kind_dep_city: "Kalkış şehirleri",
    kind_meal: "Yemek türleri", kind_hotel_category: "Otel kategorileri", kind_currency: "Para birimleri",
    loading: "Sunucu verilerini yüklüyor …", asking: "Soruluyor …", slow: "Bu her zamankinden uzun sürüyor …",
    away: "Sunucu yanıt vermiyor. Çalışıyor mu, çevrimiçi misiniz?", keyBad: "Sunucu bu anahtarı kabul etmiyor.",
    failed: "Sunucu diyor ki: {message}", again: "Yeniden dene",
  },
  uk: {
    skip: "До вмісту", pages: "Сторінки", form: "Форма пошуку", reference: "Довідник API", language: "Мова",
    title: "Куди?", lead: "Форма пошуку, як її будує добрий клієнт: усе надходить із відкритого API.",
    keys: "Ваші ключі API", keyA: "Ключ API A", keyB: "Ключ API B", useKeys: "Використати ці ключі",
    noKey: "Ще немає ключа? Адміністратор створює його тут:", keysPage: "Люди й ключі",
    byCommand: "Хто керує цим сервером, створює його командою:",
    keysWhy: "Введіть по ключу кожного API. Вони лишаються на цій сторінці.",
    from: "Звідки", to: "Куди", place: "Місце", anywhere: "Будь-де", currency: "Валюта", category: "Категорія", meals: "Харчування",
    hotels: "Готелів: {n}", hotelName: "Назва готелю", more: "Показати ще", anything: "Показати все",
    noneFits: "Жоден готель не підходить. Спробуйте інші категорії, місця чи назви.",
    noneThere: "Тут немає готелів. Спробуйте інше місто чи країну.",
    noneCalled: "Такої назви немає.", noLists: "Міст і країн ще немає: імпортуйте дані.",
    route: "Постачальники на цьому напрямку: {names}", routeNone: "Жоден постачальник не називає цього напрямку, тож показано всі готелі.",
    air: "Аеропорт або місто", airLead: "Підказки з кожною літерою: будь-якою мовою, за кодом, навіть з помилками.",
    airNone: "Такої назви немає. Спробуйте інше написання або код.", airSaid: "Підказок: {n}, намальовано за {ms} мс",
    translate: "Переклад ідентифікаторів", translateLead: "Що означають ідентифікатори постачальника у спільному довіднику?",
    supplier: "Постачальник", kind: "Вид", ids: "Ідентифікатори через кому або з нового рядка", go: "Перекласти", example: "Взяти приклад",
    id: "Ідентифікатор", source: "Постачальник каже", dict: "Довідник", state: "Стан",
    mapped: "зіставлено", open: "не зіставлено", unknown: "невідомий",
    translated: "Ідентифікаторів: {n} за {ms} мс. Зіставлено: {mapped}, не зіставлено: {open}, невідомих: {unknown}.",
    noIds: "Спершу введіть ідентифікатор або візьміть приклад.",
    kind_hotel: "Готелі", kind_city: "Міста й курорти", kind_country: "Країни", kind_dep_city: "Міста вильоту",
    kind_meal: "Харчування", kind_hotel_category: "Категорії готелів", kind_currency: "Валюти",
    loading: "Сервер завантажує дані …", asking: "Запитую …", slow: "Це триває довше, ніж зазвичай …",
    away: "Сервер не відповідає. Чи він працює, і чи є мережа?", keyBad: "Сервер не приймає цього ключа.",
    failed: "Сервер каже: {message}", again: "Спробувати ще раз",
  },
  ar: {
    skip: "إلى المحتوى", pages: "الصفحات", form: "نموذج البحث", reference: "مرجع الواجهة البرمجية", language: "اللغة",
    title: "إلى أين؟", lead: "نموذج بحث كما يبنيه عميل جيد: كل شيء يأتي من الواجهة البرمجية العامة.",
    keys: "مفاتيح الواجهة البرمجية", keyA: "مفتاح الواجهة A", keyB: "مفتاح الواجهة B", useKeys: "استخدم هذه المفاتيح",
    noKey: "لا يوجد مفتاح بعد؟ ينشئه مسؤول هنا:", keysPage: "الأشخاص والمفاتيح",
    byCommand: "ومن يشغّل هذا الخادم ينشئه بالأمر:",
    keysWhy: "اكتب مفتاحًا لكل واجهة. تبقى المفاتيح في هذه الصفحة.",
    from: "من", to: "إلى", place: "المكان", anywhere: "أي مكان", currency: "العملة", category: "الفئة", meals: "الوجبات",
    hotels: "الفنادق: {n}", hotelName: "اسم الفندق", more: "عرض المزيد", anything: "عرض الكل",
    noneFits: "لا يوجد فندق مناسب. جرّب فئات أو أماكن أو أسماء أخرى.", noneThere: "لا توجد فنادق هنا. جرّب مدينة أو دولة أخرى.",
    noneCalled: "لا شيء بهذا الاسم.", noLists: "لا توجد مدن ودول بعد: استورد البيانات.",
    route: "المورّدون على هذا الخط: {names}", routeNone: "لا يذكر أي مورّد هذا الخط، لذلك تظهر كل الفنادق.",
    air: "مطار أو مدينة", airLead: "اقتراحات مع كل ضغطة مفتاح: بأي لغة، وبالرموز، وحتى مع أخطاء الكتابة.",
    airNone: "لا شيء بهذا الاسم. جرّب كتابة أخرى أو الرمز.", airSaid: "الاقتراحات: {n}، ظهرت بعد {ms} مللي ثانية",
    translate: "ترجمة معرّفات المورّدين", translateLead: "إلى ماذا تشير معرّفات المورّد في المرجع المشترك؟",
    supplier: "المورّد", kind: "النوع", ids: "المعرّفات، تفصل بينها فواصل أو أسطر جديدة", go: "ترجم", example: "خذ مثالًا",
    id: "المعرّف", source: "يقول المورّد", dict: "المرجع", state: "الحالة",
    mapped: "مربوط", open: "غير مربوط", unknown: "معرّف مجهول",
    translated: "المعرّفات: {n} في {ms} مللي ثانية. مربوط: {mapped}، غير مربوط: {open}، مجهول: {unknown}.",
    noIds: "اكتب معرّفًا أولًا أو خذ مثالًا.",
    kind_hotel: "الفنادق", kind_city: "المدن والمنتجعات", kind_country: "الدول", kind_dep_city: "مدن المغادرة",
    kind_meal: "الوجبات", kind_hotel_category: "فئات الفنادق", kind_currency: "العملات",
    loading: "الخادم يحمّل بياناته …", asking: "جارٍ السؤال …", slow: "يستغرق هذا وقتًا أطول من المعتاد …",
    away: "الخادم لا يجيب. هل يعمل، وهل أنت متصل بالشبكة؟", keyBad: "الخادم لا يقبل هذا المفتاح.",
    failed: "يقول الخادم: {message}", again: "حاول مرة أخرى",
  },
};

let spoken = "en";

/** Kinds that this page translates: those that have words here, in their order. */
export const KINDS = Object.keys(WORDS.en).filter(key => key.startsWith("kind_")).map(key => key.slice(5));

export const lang = () => spoken;
export const number = n => n.toLocaleString(spoken);

/** A text whose direction, overrides included, ends with it. */
export const isolated = text => `\u2068${text}\u2069`;

/** The words of a name, with its {places} filled. */
export const t = (key, fill = {}) => WORDS[spoken][key].replace(/\{(\w+)\}/g, (_, name) => fill[name]);

/** An error for people. */
export function errorText(e) {
  return e.kind === "away" ? t("away") : e.kind === "key" ? t("keyBad") : t("failed", { message: isolated(e.message) });
}

/** Have the page in this language. */
export function speak(tag) {
  spoken = tag;
  document.documentElement.lang = tag;
  document.documentElement.dir = RIGHT_TO_LEFT.has(tag) ? "rtl" : "ltr";
  document.title = `${t("form")} · dragoman`;
  for (const box of document.querySelectorAll("[data-t]")) box.textContent = t(box.dataset.t);
  for (const box of document.querySelectorAll("[data-t-label]")) box.setAttribute("aria-label", t(box.dataset.tLabel));
  for (const box of document.querySelectorAll("[data-t-placeholder]")) box.placeholder = t(box.dataset.tPlaceholder);
}
