import type { Config } from './config.ts';

/** What the first start made. */
export interface FirstStart {
  organizationId: string;
  token: string;
}

/** What is printed once the service listens: where it is, and after the first start the token and something to try. */
export function welcome(config: Config, port: number, first: FirstStart | undefined): string {
  const address = config.port === 0 ? `http://localhost:${port}` : config.publicUrl;
  const lines = [
    '',
    `Stemma listens on http://${config.host}:${port}`,
    `  GraphiQL  ${address}/graphql`,
    `  REST      ${address}/v1`,
    '',
  ];
  if (!first) return `${lines.join('\n')}\n`;
  const query = '{ viewer { displayName organizations { nodes { title spaces { nodes { id title } } } } } }';
  return `${[
    ...lines,
    "The first administrator's token, shown only now:",
    '',
    `  ${first.token}`,
    '',
    'A first query to paste:',
    '',
    `  curl ${address}/graphql -H 'content-type: application/json' \\`,
    `    -H 'authorization: Bearer ${first.token}' \\`,
    `    -d '${JSON.stringify({ query })}'`,
    '',
  ].join('\n')}\n`;
}
