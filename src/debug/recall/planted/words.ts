/** A word as it is listed, and other forms of it: they differ in their endings alone. */
export type Forms = readonly [plain: string, ...others: string[]];

/** What a needle is made of: a thing, a deed and a place, each of its own list. */
export interface Vocabulary {
	readonly things: readonly Forms[];
	readonly deeds: readonly Forms[];
	readonly places: readonly Forms[];
	/** words that say nothing, for the text around */
	readonly filler: readonly string[];
	/** what stands between the words of a text */
	readonly space: string;
	/** one sentence that holds the three, in any forms */
	sentence(thing: string, deed: string, place: string): string;
	/** a question in a whole sentence about two of them; absent where questions are bare words */
	question?(one: string, two: string): string;
}

/** English, with plurals, `-ed` and `-ing`. */
export const ENGLISH: Vocabulary = {
	things: listed(
		"anchor barrel basket bracket candle carriage carpet cellar cradle curtain feather fender ferry funnel gasket gutter hammer hinge jacket kettle ladder lantern lever marble mirror needle orchard paddle parcel pencil pillar pulley ribbon saddle shutter spindle valve trumpet",
	).map((word) => [word, plural(word)]),
	deeds: listed(
		"adjust attach balance bleach bolster borrow clean collect compress convert copy deliver detach drain flatten gather harden inspect invert lift loosen mend mount paint polish press pump restore rotate sharpen shift soften stack stretch twist unload weigh",
	).map((word) => [word, past(word), `${word.endsWith("e") ? word.slice(0, -1) : word}ing`]),
	places: listed(
		"attic balcony basement bridge chapel clinic depot gallery hangar mill museum nursery pantry quarry refinery stable temple theatre tower vault wharf castle monastery lighthouse brewery bakery tavern smithy abbey tannery sawmill vineyard dairy foundry granary kennel lodge arena",
	).map((word) => [word, plural(word)]),
	filler: listed(
		"and the of to in it is was that then there here which while after before until again still only also about other same first last next early late long short left right above below done open ready later over under every some more most less when where how much many same such kind part whole side end line place note check round turn time day week morning evening we did do does had has have what which who why can should will would not no yes you they our for with on at by from as be been are were if or but so",
	),
	space: " ",
	sentence: (thing, deed, place) =>
		`before the next release somebody has to see to it: ${deed}, the ${thing}, and the ${place} it is in`,
	question: (one, two) => `what did we have to do with the ${one} and the ${two}?`,
};

/** German, with forms in `-t`, `-te`, `-n`, `-er` and `-s`. */
export const GERMAN: Vocabulary = {
	things: listed(
		"Laterne Tonne Kerze Treppe Pumpe Lampe Kiste Flasche Leiter Glocke Schraube Klammer Trommel Decke Matte Kette Feder Angel Schale Pfanne Kanne Tasche Waage Planke Bremse Kurbel Walze Spule",
	).map((word) => [word, `${word}n`]),
	deeds: listed(
		"reparier polier lackier montier sortier kontrollier isolier justier fotografier katalogisier dekorier restaurier balancier markier nummerier transportier studier installier imprägnier galvanisier blockier kopier archivier notier probier rasier jonglier flankier",
	).map((stem) => [`${stem}en`, `${stem}t`, `${stem}te`]),
	places: listed(
		"Kapelle Scheune Kammer Mühle Halle Küche Schmiede Brauerei Bäckerei Gärtnerei Käserei Ziegelei Wäscherei Weberei Druckerei Molkerei Schreinerei Metzgerei Fischerei Gießerei Reederei Sternwarte Schleuse Grotte Ruine Laube Terrasse",
	).map((word) => [word, word.endsWith("ei") ? `${word}en` : `${word}n`]),
	filler: listed(
		"und der die das in ist war dann dort hier noch nur auch wieder schon bis nach vor über unter alles etwas mehr weniger immer heute morgen abends früh spät lang kurz links rechts oben unten offen fertig später Seite Ende Zeile Stelle Teil Zeit Tag Woche",
	),
	space: " ",
	sentence: (thing, deed, place) =>
		`vor der nächsten Ausgabe ist noch daran zu denken: ${deed}, ${thing}, und zwar dort, ${place}`,
	question: (one, two) => `was war denn nun mit ${one} und ${two}?`,
};

/** Chinese; instead of a form stands a word that shares its first or last character. */
export const CHINESE: Vocabulary = {
	things: listed(
		"灯塔:灯笼:水塔 铁锚:铁轨:船锚 木桶:木偶:水桶 窗帘:窗口:门帘 齿轮:齿痕:车轮 蜡烛:蜡像:火烛 地毯:地窖:毛毯 摇篮:摇摆:花篮 羽毛:羽翼:睫毛 漏斗:漏洞:烟斗 铁锤:铁钉:木锤 夹克:夹层:坦克 水壶:水坝:酒壶 镜框:镜湖:门框",
	).map(inChinese),
	deeds: listed(
		"修理:修饰:料理 打磨:打猎:研磨 搬运:搬迁:航运 粉刷:粉碎:印刷 校准:校友:瞄准 拆卸:拆穿:装卸 清洗:清晨:冲洗 拉伸:拉链:延伸 称重:称赞:沉重 旋转:旋律:扭转 压缩:压迫:收缩 收集:收割:聚集 排空:排练:星空 归还:归纳:偿还",
	).map(inChinese),
	places: listed(
		"仓库:仓鼠:水库 码头:码数:桥头 阁楼:阁下:钟楼 磨坊:磨难:牌坊 教堂:教练:食堂 矿井:矿石:天井 画廊:画笔:走廊 花园:花瓶:公园 牧场:牧羊:广场 酒窖:酒杯:冰窖 船坞:船员:花坞 塔顶:塔尖:屋顶 桥洞:桥牌:山洞 车站:车票:驿站",
	).map(inChinese),
	filler: listed(
		"然后 这里 那边 还有 已经 以后 之前 再次 只是 也许 其他 同样 开始 结束 左边 右边 上面 下面 今天 明天 早上 晚上 长期 短期 完成 等待 部分 整体 一行 一段 时间 日子",
	),
	space: "，",
	sentence: (thing, deed, place) => `下次发布之前要有人处理：${deed}，${thing}，就在${place}那里`,
};

/** What folders and files are called. */
export const METALS: readonly string[] = listed(
	"bronze chrome cobalt copper gold iron lead nickel pewter silver steel tin titanium zinc",
);
/** The same. */
export const TREES: readonly string[] = listed(
	"alder ash aspen beech birch cedar cypress elm fir hazel larch maple oak pine poplar rowan spruce willow yew",
);
/** The same. */
export const BIRDS: readonly string[] = listed(
	"heron robin wren finch osprey kestrel plover curlew magpie starling thrush swift lapwing bittern dunlin siskin",
);

function listed(words: string): string[] {
	return words.split(" ");
}

function plural(word: string): string {
	return /[^aeiou]y$/.test(word) ? `${word.slice(0, -1)}ies` : `${word}s`;
}

function past(word: string): string {
	if (word.endsWith("e")) return `${word}d`;
	return /[^aeiou]y$/.test(word) ? `${word.slice(0, -1)}ied` : `${word}ed`;
}

function inChinese(words: string): Forms {
	const [plain = "", ...others] = words.split(":");
	return [plain, ...others];
}
