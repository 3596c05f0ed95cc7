/** Runs something with every clock and source of chance, and whatever depends on a locale, made to throw. */
export async function withoutWorld<T>(run: () => Promise<T>): Promise<T> {
	const restored = TRAPS.map(([owner, name]) => trap(owner, name));
	try {
		return await run();
	} finally {
		for (const restore of restored) restore();
	}
}

const TRAPS: readonly (readonly [owner: object, name: string])[] = [
	[globalThis, "Date"],
	[performance, "now"],
	[Math, "random"],
	[Math, "log"],
	[Math, "exp"],
	[Math, "pow"],
	[crypto, "randomUUID"],
	[crypto, "getRandomValues"],
	[globalThis, "Intl"],
	[String.prototype, "localeCompare"],
	[String.prototype, "toLocaleLowerCase"],
	[Number.prototype, "toLocaleString"],
];

function trap(owner: object, name: string): () => void {
	const own = Object.getOwnPropertyDescriptor(owner, name);
	const refuse = Object.assign(refusing(name), { now: refusing("now") });
	Object.defineProperty(owner, name, { configurable: true, writable: true, value: refuse });
	return () => {
		if (own) Object.defineProperty(owner, name, own);
		else Reflect.deleteProperty(owner, name);
	};
}

function refusing(name: string): () => never {
	return () => {
		throw new TypeError(`${name} was used`);
	};
}
