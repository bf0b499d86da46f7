// Board bases: id | name | description in en, uk, ru, de, fr, es, it, pl, tr, zh, ar
export const MEALS = `
1|RO|Room only|Без харчування|Без питания|Nur Übernachtung|Chambre seule|Solo alojamiento|Solo pernottamento|Bez wyżywienia|Yalnızca oda|不含餐|غرفة فقط
2|SC|Self-catering|Самостійне приготування їжі|Самостоятельное приготовление еды|Selbstverpflegung|Cuisine équipée, sans repas|Sin comidas, con cocina|Uso cucina|Wyżywienie własne|Kendi yemeğini pişirme|自备餐|خدمة ذاتية
3|BB|Bed and breakfast|Ліжко та сніданок|Завтрак|Übernachtung mit Frühstück|Petit déjeuner|Alojamiento y desayuno|Pernottamento e colazione|Śniadanie|Oda kahvaltı|含早餐|مبيت وإفطار
4|CB|Continental breakfast|Континентальний сніданок|Континентальный завтрак|Kontinentales Frühstück|Petit déjeuner continental|Desayuno continental|Colazione continentale|Śniadanie kontynentalne|Kontinental kahvaltı|欧陆式早餐|إفطار كونتيننتال
5|AB|American breakfast|Американський сніданок|Американский завтрак|Amerikanisches Frühstück|Petit déjeuner américain|Desayuno americano|Colazione americana|Śniadanie amerykańskie|Amerikan kahvaltısı|美式早餐|إفطار أمريكي
6|HB|Half board|Напівпансіон|Полупансион|Halbpension|Demi-pension|Media pensión|Mezza pensione|Śniadanie i obiadokolacja|Yarım pansiyon|半膳|نصف إقامة
7|HB+|Half board with drinks|Розширений напівпансіон|Расширенный полупансион|Halbpension Plus|Demi-pension avec boissons|Media pensión con bebidas|Mezza pensione con bevande|Śniadanie i obiadokolacja z napojami|Yarım pansiyon plus|半膳含饮料|نصف إقامة مع مشروبات
8|FB|Full board|Повний пансіон|Полный пансион|Vollpension|Pension complète|Pensión completa|Pensione completa|Pełne wyżywienie|Tam pansiyon|全膳|إقامة كاملة
9|FB+|Full board with drinks|Розширений повний пансіон|Расширенный полный пансион|Vollpension Plus|Pension complète avec boissons|Pensión completa con bebidas|Pensione completa con bevande|Pełne wyżywienie z napojami|Tam pansiyon plus|全膳含饮料|إقامة كاملة مع مشروبات
10|AI|All inclusive|Все включено|Всё включено|All-inclusive|Tout compris|Todo incluido|Tutto incluso|All inclusive|Her şey dahil|全包|شامل كليًا
11|UAI|Ultra all inclusive|Ультра все включено|Ультра всё включено|Ultra All-inclusive|Ultra tout compris|Ultra todo incluido|Ultra tutto incluso|Ultra all inclusive|Ultra her şey dahil|超级全包|شامل كليًا ألترا
12|SAI|Soft all inclusive|Все включено без алкоголю|Всё включено без алкоголя|All-inclusive ohne Alkohol|Tout compris sans alcool|Todo incluido sin alcohol|Tutto incluso analcolico|All inclusive bez alkoholu|Alkolsüz her şey dahil|无酒精全包|شامل كليًا دون كحول
`;
