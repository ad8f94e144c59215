import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseEnv } from 'node:util';
import { expect, test } from 'vitest';
import { ConfigError, readConfig } from '../src/config.ts';
import { settings } from '../src/settings.ts';

const SECRET = 'a secret of at least thirty-two characters';

/** The message that a wrong setting is refused with. */
function apiError(environment: Record<string, string>): string {
  try {
    readConfig(environment);
  } catch (error) {
    expect(error).toBeInstanceOf(ConfigError);
    return String(error);
  }
  return expect.fail('The settings were taken.');
}

test('an empty environment gives every setting its default', () => {
  expect(readConfig({})).toEqual({
    port: 4000,
    host: '127.0.0.1',
    publicUrl: 'http://localhost:4000',
    sitesUrl: 'http://localhost:4000/sites',
    secretKey: undefined,
    secretKeyPrevious: undefined,
    databaseUrl: undefined,
    databaseDirectUrl: undefined,
    databasePool: 20,
    databasePoolTimeoutMs: 2_000,
    databaseReplicas: [],
    databaseReplicaPool: 20,
    replicaLagMs: 5_000,
    dataDir: resolve('.data'),
    diskReserveBytes: 64_000_000,
    storage: { kind: 'directory', path: resolve('.data/blobs') },
    signsFiles: false,
    storageTimeoutMs: 15_000,
    bootstrapToken: undefined,
    bootstrapEmail: 'admin@stemma.localhost',
    demo: true,
    allowPrivateNetwork: false,
    smtpUrl: undefined,
    mailFrom: 'stemma@localhost',
    oidc: null,
    fetchTimeoutMs: 30_000,
    importWaitMs: 30_000,
    uploadQuotaBytes: 2_000_000_000,
    gitPollSeconds: 300,
    pdfFonts: [],
    translation: { provider: 'embedded', url: null, apiKey: null, model: null, characterLimit: null },
    embeddings: null,
    labels: null,
    rateLimit: 6_000,
    trustProxy: 0,
    maxQueryCost: 50_000,
    queryCostPerMinute: 2_000_000,
    graphqlJit: true,
    maxResponseBytes: 32_000_000,
    statementTimeoutMs: 10_000,
    requestTimeoutMs: 30_000,
    trustedDocuments: undefined,
    trustedDocumentsOnly: false,
    workers: true,
    concurrency: 1,
    shutdownDelayMs: 0,
    operatorsCreateOrganizations: false,
    auditRetentionDays: 730,
    logLevel: 'info',
    metricsToken: undefined,
    serverTiming: false,
    isProduction: false,
  });
});

test('the provider of the whole service requires an issuer with TLS, a client ID and a client secret', () => {
  const all = { OIDC_ISSUER: 'https://login.example.com', OIDC_CLIENT_ID: 'stemma', OIDC_CLIENT_SECRET: 'secret' };
  for (const name of ['OIDC_CLIENT_ID', 'OIDC_CLIENT_SECRET'] as const) {
    expect(apiError({ ...all, [name]: undefined })).toContain(`OIDC_ISSUER requires ${name}.`);
    expect(apiError({ [name]: 'x' })).toContain(`${name} requires OIDC_ISSUER.`);
  }
  expect(apiError({ ...all, OIDC_ISSUER: 'http://login.example.com' })).toMatch(/must begin with https/);
  for (const issuer of [
    'login.example.com',
    'https://a:b@login.example.com',
    'https://login.example.com/?x',
    'https://login.example.com/.well-known/openid-configuration',
  ])
    expect(apiError({ ...all, OIDC_ISSUER: issuer })).toMatch(/OIDC_ISSUER: must/);
  const local = readConfig({ ...all, OIDC_ISSUER: 'http://127.0.0.1:9', ALLOW_PRIVATE_NETWORK: '1' });
  expect(local.oidc).toMatchObject({ issuer: 'http://127.0.0.1:9', label: 'single sign-on' });
});

test('signed URLs of files require a bucket', () => {
  for (const files of [undefined, { STORAGE_URL: 'file:///var/blobs' }]) {
    expect(apiError({ STORAGE_PUBLIC: 'signed', ...files })).toMatch(/requires a bucket\. Set STORAGE_URL to s3:/);
  }
});

test('every setting can be set', () => {
  const environment = {
    PORT: '8080',
    HOST: '0.0.0.0',
    PUBLIC_URL: 'https://docs.example.com/',
    SITES_URL: 'https://sites.example.com//',
    SECRET_KEY: SECRET,
    SECRET_KEY_PREVIOUS: `the former ${SECRET}`,
    DATABASE_URL: 'postgresql://user:secret@db.example.com/stemma',
    DATABASE_DIRECT_URL: 'postgresql://user:secret@direct.example.com/stemma',
    DATABASE_POOL: '5',
    DATABASE_POOL_TIMEOUT_MS: '300',
    DATABASE_REPLICA_URLS:
      'postgresql://user:secret@replica-1.example.com/stemma, postgresql://user:secret@replica-2.example.com/stemma',
    DATABASE_REPLICA_POOL: '7',
    REPLICA_LAG_MS: '900',
    DATA_DIR: '/var/lib/stemma',
    DISK_RESERVE_MB: '80',
    STORAGE_URL: 's3://files/stemma?region=eu-central-1',
    STORAGE_PUBLIC: 'signed',
    STORAGE_TIMEOUT_MS: '4000',
    BOOTSTRAP_TOKEN: 'stemma_aaaaaaaaaaaaaaaaaaaa',
    BOOTSTRAP_EMAIL: 'ada@example.com',
    DEMO: '0',
    ALLOW_PRIVATE_NETWORK: '1',
    SMTP_URL: 'smtps://stemma:secret@mail.example.com',
    MAIL_FROM: 'docs@example.com',
    OIDC_ISSUER: 'https://login.example.com',
    OIDC_CLIENT_ID: 'stemma',
    OIDC_CLIENT_SECRET: 'a client secret',
    OIDC_LABEL: 'Example ID',
    FETCH_TIMEOUT_MS: '5000',
    IMPORT_WAIT_MS: '6000',
    UPLOAD_QUOTA_MB: '5',
    GIT_POLL_SECONDS: '60',
    GIT_PROGRAM: '/usr/bin/git',
    PDF_FONTS: 'package.json',
    TRANSLATION_PROVIDER: 'openai',
    TRANSLATION_URL: 'https://models.example.com/v1',
    TRANSLATION_API_KEY: 'a key',
    TRANSLATION_MODEL: 'a model',
    TRANSLATION_CHARACTERS: '5000',
    EMBEDDINGS_URL: 'https://models.example.com/v1',
    EMBEDDINGS_API_KEY: 'another key',
    EMBEDDINGS_MODEL: 'vectors',
    EMBEDDINGS_CHARACTERS: '6000',
    LABELS_URL: 'https://chat.example.com/v1',
    LABELS_API_KEY: 'a third key',
    LABELS_MODEL: 'chat',
    LABELS_CHARACTERS: '7000',
    RATE_LIMIT: '0',
    TRUST_PROXY: '2',
    MAX_QUERY_COST: '1000',
    QUERY_COST_PER_MINUTE: '30000',
    GRAPHQL_JIT: '0',
    MAX_ANSWER_MB: '5',
    STATEMENT_TIMEOUT_MS: '2000',
    REQUEST_TIMEOUT_MS: '3000',
    TRUSTED_DOCUMENTS: '/etc/stemma/documents.json',
    TRUSTED_DOCUMENTS_ONLY: '1',
    WORKERS: '0',
    WEB_CONCURRENCY: '3',
    SHUTDOWN_DELAY_MS: '700',
    OPERATORS_CREATE_ORGANIZATIONS: 'true',
    AUDIT_RETENTION_DAYS: '90',
    LOG_LEVEL: 'debug',
    METRICS_TOKEN: 'a-token-for-Prometheus',
    SERVER_TIMING: '1',
    NODE_ENV: 'production',
  };
  expect(Object.keys(environment)).toEqual(Object.keys(settings.shape));
  expect(readConfig(environment)).toEqual({
    port: 8080,
    host: '0.0.0.0',
    publicUrl: 'https://docs.example.com',
    sitesUrl: 'https://sites.example.com',
    secretKey: SECRET,
    secretKeyPrevious: `the former ${SECRET}`,
    databaseUrl: 'postgresql://user:secret@db.example.com/stemma',
    databaseDirectUrl: 'postgresql://user:secret@direct.example.com/stemma',
    databasePool: 5,
    databasePoolTimeoutMs: 300,
    databaseReplicas: [
      'postgresql://user:secret@replica-1.example.com/stemma',
      'postgresql://user:secret@replica-2.example.com/stemma',
    ],
    databaseReplicaPool: 7,
    replicaLagMs: 900,
    dataDir: '/var/lib/stemma',
    diskReserveBytes: 80_000_000,
    storage: { kind: 's3', bucket: 'files', prefix: 'stemma/', region: 'eu-central-1', endpoint: undefined },
    signsFiles: true,
    storageTimeoutMs: 4_000,
    bootstrapToken: 'stemma_aaaaaaaaaaaaaaaaaaaa',
    bootstrapEmail: 'ada@example.com',
    demo: false,
    allowPrivateNetwork: true,
    smtpUrl: 'smtps://stemma:secret@mail.example.com',
    mailFrom: 'docs@example.com',
    oidc: {
      issuer: 'https://login.example.com',
      clientId: 'stemma',
      clientSecret: 'a client secret',
      label: 'Example ID',
    },
    fetchTimeoutMs: 5_000,
    importWaitMs: 6_000,
    uploadQuotaBytes: 5_000_000,
    gitPollSeconds: 60,
    gitProgram: '/usr/bin/git',
    pdfFonts: [resolve('package.json')],
    translation: {
      provider: 'openai',
      url: 'https://models.example.com/v1',
      apiKey: 'a key',
      model: 'a model',
      characterLimit: 5_000,
    },
    embeddings: {
      url: 'https://models.example.com/v1',
      apiKey: 'another key',
      model: 'vectors',
      characterLimit: 6_000,
    },
    labels: {
      url: 'https://chat.example.com/v1',
      apiKey: 'a third key',
      model: 'chat',
      characterLimit: 7_000,
    },
    rateLimit: 0,
    trustProxy: 2,
    maxQueryCost: 1_000,
    queryCostPerMinute: 30_000,
    graphqlJit: false,
    maxResponseBytes: 5_000_000,
    statementTimeoutMs: 2_000,
    requestTimeoutMs: 3_000,
    trustedDocuments: '/etc/stemma/documents.json',
    trustedDocumentsOnly: true,
    workers: false,
    concurrency: 3,
    shutdownDelayMs: 700,
    operatorsCreateOrganizations: true,
    auditRetentionDays: 90,
    logLevel: 'debug',
    metricsToken: 'a-token-for-Prometheus',
    serverTiming: true,
    isProduction: true,
  });
});

test('addresses follow from what is set', () => {
  expect(readConfig({ PORT: '5000' })).toMatchObject({ publicUrl: 'http://localhost:5000' });
  expect(readConfig({ PUBLIC_URL: 'https://a.example' })).toMatchObject({ sitesUrl: 'https://a.example/sites' });
});

test('empty variables count as unset, and unknown variables are ignored', () => {
  const empty = Object.fromEntries(Object.keys(settings.shape).map((name) => [name, '']));
  expect(readConfig({ ...empty, PATH: '/bin' })).toEqual(readConfig({}));
});

test.each([
  ['PORT', 'web', /whole number from 0 to 65535/],
  ['PORT', '70000', /whole number from 0 to 65535/],
  ['PORT', '80.5', /whole number from 0 to 65535/],
  ['PUBLIC_URL', 'docs.example.com', /URL such as https:/],
  ['PUBLIC_URL', 'https://docs.example.com/app', /must be a URL without a path/],
  ['PUBLIC_URL', 'https://docs.example.com/?app', /must be a URL without a path/],
  ['SITES_URL', 'ftp://sites.example.com', /URL such as https:/],
  ['SECRET_KEY', 'short', /at least 32 characters long. Generate one with `openssl rand -hex 32`/],
  ['DATABASE_URL', 'mysql://db/stemma', /PostgreSQL URL such as postgres:/],
  ['DATABASE_URL', 'db.example.com', /PostgreSQL URL such as postgres:/],
  ['DATABASE_POOL', '1', /whole number from 2 to 500/],
  ['DATABASE_POOL', 'many', /whole number from 2 to 500/],
  ['STORAGE_PUBLIC', 'cdn', /must be service or signed/],
  ['STORAGE_TIMEOUT_MS', '0', /whole number from 1 to 600000/],
  ['DATABASE_REPLICA_URLS', 'postgres://one/stemma,two', /PostgreSQL URLs such as postgres:.*, separated by commas/],
  ['DATABASE_REPLICA_URLS', 'postgres://one/stemma,', /PostgreSQL URLs such as postgres:.*, separated by commas/],
  ['DATABASE_REPLICA_POOL', '0', /whole number from 1 to 500/],
  ['REPLICA_LAG_MS', '99', /whole number from 100 to 600000/],
  ['STORAGE_URL', '/var/blobs', /s3:\/\/bucket\/prefix\?region=…&endpoint=… or file:\/\/\/path/],
  ['SMTP_URL', 'mail.example.com:25', /SMTP URL such as smtp:/],
  ['MAIL_FROM', 'Stemma', /email address such as/],
  ['FETCH_TIMEOUT_MS', '30s', /whole number from 1 to 600000/],
  ['RATE_LIMIT', '-1', /whole number from 0 to/],
  ['TRUST_PROXY', 'yes', /whole number from 0 to 10/],
  ['MAX_QUERY_COST', '0', /whole number from 1 to/],
  ['STATEMENT_TIMEOUT_MS', '0', /whole number from 1 to 3600000/],
  ['REQUEST_TIMEOUT_MS', '30s', /whole number from 1 to 3600000/],
  ['TRUSTED_DOCUMENTS_ONLY', 'yes', /0 or 1/],
  ['BOOTSTRAP_TOKEN', 'admin', /"stemma_" followed by 20 to 200 letters/],
  ['BOOTSTRAP_EMAIL', 'ada', /email address such as/],
  ['DEMO', 'no', /0 or 1/],
  ['ALLOW_PRIVATE_NETWORK', 'yes', /0 or 1/],
  ['METRICS_TOKEN', 'short', /20 to 200 ASCII characters/],
  ['SERVER_TIMING', '2', /0 or 1/],
  ['AUDIT_RETENTION_DAYS', '7', /whole number from 30 to 36500/],
  ['LOG_LEVEL', 'verbose', /trace, debug, info, warn, error, fatal or silent/],
])('%s=%s is rejected, with the requirement', (name, value, message) => {
  const text = apiError({ [name]: value });
  expect(text).toContain(`${name}: must be`);
  expect(text).toMatch(message);
});

test('all wrong settings are named at once, and no secret is repeated', () => {
  const text = apiError({ PORT: 'web', SECRET_KEY: 'hunter2', BOOTSTRAP_TOKEN: 'hunter3', DATABASE_URL: 'x:hunter4' });
  for (const name of ['PORT', 'SECRET_KEY', 'BOOTSTRAP_TOKEN', 'DATABASE_URL']) expect(text).toContain(`\n  ${name}: `);
  expect(text).not.toContain('hunter');
});

test('replicas need a database that they are replicas of', () => {
  expect(apiError({ DATABASE_REPLICA_URLS: 'postgres://one/stemma' })).toMatch(
    /DATABASE_REPLICA_URLS requires DATABASE_URL/,
  );
});

test('production needs a secret key', () => {
  expect(apiError({ NODE_ENV: 'production' })).toMatch(
    /SECRET_KEY is required .* Generate one with `openssl rand -hex 32`/,
  );
  expect(readConfig({ NODE_ENV: 'production', SECRET_KEY: SECRET }).secretKey).toBe(SECRET);
  expect(readConfig({ NODE_ENV: 'development' }).isProduction).toBe(false);
});

test('in production, demo content is only loaded if the setting asks for it', () => {
  const demo = (environment: Record<string, string>) => readConfig({ SECRET_KEY: SECRET, ...environment }).demo;
  expect(demo({ NODE_ENV: 'production' })).toBe(false);
  expect(demo({ NODE_ENV: 'production', DEMO: '1' })).toBe(true);
  expect(demo({ NODE_ENV: 'development' })).toBe(true);
});

const fileOf = (...path: string[]) => readFileSync(join(import.meta.dirname, '..', ...path), 'utf8');

test('.env.example has every setting in its order, commented out, with its default or an example that is taken', () => {
  const text = fileOf('.env.example');
  expect(parseEnv(text)).toEqual({});
  const shown = parseEnv(text.replaceAll(/^#(?=[A-Z_]+=)/gm, ''));
  expect(Object.keys(shown).toSorted()).toEqual(Object.keys(settings.shape).toSorted());
  expect([...text.matchAll(/^#([A-Z_]+)=/gm)].map(([, name]) => name)).toEqual(Object.keys(settings.shape));
  const { SECRET_KEY: _, ...taken } = shown;
  expect(() => readConfig({ ...taken, SECRET_KEY: SECRET })).not.toThrow();
  for (const [name, schema] of Object.entries(settings.shape)) {
    const found = schema.safeParse(undefined).data;
    if (found === undefined) continue;
    expect([name, shown[name]]).toEqual([name, String(typeof found === 'boolean' ? Number(found) : found)]);
  }
});

test('the systemd unit and the proxy example in deploy/ match the service', () => {
  const unit = fileOf('deploy', 'stemma.service');
  const environment = /^Environment=(.*)$/m.exec(unit)?.[1]?.split(' ') ?? [];
  for (const setting of environment) expect(Object.keys(settings.shape)).toContain(setting.split('=')[0]);
  const [, words = ''] = /^ExecStart=\S+ (.+)$/m.exec(unit) ?? [];
  expect(JSON.parse(fileOf('package.json')).scripts.start).toBe(`node run.mjs ${words}`);
  expect(fileOf('Dockerfile')).toContain(`CMD ${JSON.stringify(['node', ...words.split(' ')]).replaceAll(',', ', ')}`);
  expect(fileOf('docs', 'operation.md')).toContain(`\`${words.split(' ').slice(0, -1).join(' ')}\``);
  const { host, port } = readConfig({});
  expect(fileOf('deploy', 'nginx.conf')).toContain(`server ${host}:${port};`);
});
