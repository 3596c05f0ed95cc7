/** A process that remembers one thing after another in the folder `argv[3]`, telling the id of each once it is written. */
import { folderMemory, remembering } from "./memories.ts";

const [home = "", cwd = "", life = "0"] = process.argv.slice(2);
const memory = folderMemory(home, cwd);
for (let index = 0; ; index++) {
	const id = `mem_${life}_${index}`;
	await memory.write(() => ({ write: remembering(id, `life ${life}, fact ${index}`) }));
	process.send?.(id);
}
