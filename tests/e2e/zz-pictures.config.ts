import config from "./playwright.config.ts";
export default { ...config, globalSetup: "./zz-pictures-setup.ts", outputDir: "/tmp/av/results", reporter: [["list"]], workers: 1 };
