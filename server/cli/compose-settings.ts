import { ConfigError, readConfig } from "../config.ts";

/**
 * The mistakes in the settings with which compose.yaml starts for members: those of the server, and its own, a sentence each. The server
 * itself takes a demo's settings, because the same file starts a demo.
 */
export function listComposeMistakes(env: Record<string, string | undefined>): string[] {
  const { DEMO, BIND_ADDRESS, DATABASE_URL = "", POSTGRES_PASSWORD: password = "" } = env;
  const isOwnDatabase = /@database[:/]/.test(DATABASE_URL);
  return [
    ...(DEMO === "false" ? [] : ["DEMO must be false: everybody knows the passwords of a demo's members"]),
    ...readMistakes({ ...env, DEMO: "false" }),
    ...(BIND_ADDRESS ? [] : ["BIND_ADDRESS is missing: 0.0.0.0 lets members reach the proxy"]),
    // A part of an address.
    ...(isOwnDatabase && !/^[\w.~-]{16,}$/.test(password)
      ? ["POSTGRES_PASSWORD must have 16 characters or more, of letters, digits, - _ . ~ alone"]
      : []),
  ];
}

function readMistakes(env: Record<string, string | undefined>): string[] {
  try {
    readConfig(env);
    return [];
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return error.mistakes;
  }
}

if (import.meta.main) {
  const mistakes = listComposeMistakes(process.env);
  if (mistakes.length > 0) {
    console.error(new ConfigError(mistakes).message);
    process.exitCode = 1;
  }
}
