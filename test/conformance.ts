import { execFile } from 'node:child_process';
import { dirname } from 'node:path';

/**
 * The public conformance suite of the Model Context Protocol. It is downloaded, so that it does not run with the other
 * tests.
 */
const SUITE = '@modelcontextprotocol/conformance@0.1.16';

/** The scenarios for servers without tools, resources and prompts of the suite's own, which the others call by name. */
export const SCENARIOS = ['server-initialize', 'ping', 'tools-list', 'dns-rebinding-protection'];

/** Runs a scenario against an endpoint, with the Node of this process. */
export const runScenario = (url: string, scenario: string) =>
  new Promise<{ code: number; output: string }>((resolve) => {
    const env = { ...process.env, PATH: `${dirname(process.execPath)}:${process.env.PATH}` };
    const args = ['server', '--url', url, '--scenario', scenario];
    execFile('npx', ['--yes', SUITE, ...args], { env }, (error, stdout, stderr) =>
      resolve({ code: error ? Number(error.code ?? 1) : 0, output: `${stdout}${stderr}` }),
    );
  });
