import { build, type Plugin, type Rolldown } from "vite";

export type Script = { code: string; modules: string[] };

/** A module with all its imports as one minified script. `modules`: the bundled files. */
export async function bundleScript(input: string): Promise<Script> {
  const result = (await build({
    configFile: false,
    logLevel: "warn",
    build: { write: false, copyPublicDir: false, target: "es2022", modulePreload: false, rolldownOptions: { input } },
  })) as Rolldown.RolldownOutput;
  const [{ code, moduleIds }] = result.output;
  return { code: code.trim(), modules: moduleIds };
}

const SUFFIX = ".ts?inline";

/** Lets a module import a script as text, `./quiet-script.ts?inline`, as Vite does with style sheets. */
export const inlineScripts: Plugin = {
  name: "inline-scripts",
  enforce: "pre",
  async load(id) {
    if (!id.endsWith(SUFFIX)) return undefined;
    const { code, modules } = await bundleScript(id.slice(0, -"?inline".length));
    for (const module of modules) this.addWatchFile(module);
    return `export default ${JSON.stringify(code)}`;
  },
};
