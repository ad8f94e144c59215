import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { z } from 'zod';
import { trimEndOf } from './lib/trim-characters.ts';
import { hasNoCredentials, NO_CREDENTIALS } from './platform/shapes/web-address.ts';
import { readStorageLocation, type StorageLocation } from './platform/storage/storage-location.ts';

const wholeNumber = (min: number, max: number) => {
  const error = `must be a whole number from ${min} to ${max}`;
  return z.coerce.number(error).int(error).min(min, error).max(max, error);
};
const flag = z
  .enum(['0', '1', 'true', 'false'], 'must be 0 or 1')
  .transform((value) => value === '1' || value === 'true');
const address = z
  .url({ protocol: /^https?$/, error: 'must be a URL such as https://docs.example.com' })
  .transform((value) => trimEndOf(value, '/'));
const addressWithoutPath = address.refine((text) => {
  const { pathname, search, hash } = new URL(text);
  return pathname === '/' && search === '' && hash === '';
}, 'must be a URL without a path, such as https://docs.example.com');
const modelUrl = () =>
  z
    .url({ protocol: /^https?$/, error: 'must be an http:// or https:// URL' })
    .refine(hasNoCredentials, `${NO_CREDENTIALS}: set the key instead`);
const databaseAddress = z.url({
  protocol: /^postgres(ql)?$/,
  error: 'must be a PostgreSQL URL such as postgres://user:password@host:5432/stemma',
});
const databaseAddresses = z.string().transform((text, ctx) => {
  const urls = text.split(',').map((url) => url.trim());
  for (const url of urls) {
    // The URL is not shown: it has a password.
    if (databaseAddress.safeParse(url).success) continue;
    ctx.addIssue('must be PostgreSQL URLs such as postgres://user:password@host:5432/stemma, separated by commas');
    return z.NEVER;
  }
  return urls;
});
const storageLocation = z.string().transform((text, ctx): StorageLocation => {
  try {
    return readStorageLocation(text);
  } catch (error) {
    ctx.addIssue(error instanceof Error ? error.message : 'is not valid');
    return z.NEVER;
  }
});
const fontFiles = z.string().transform((text, ctx) => {
  const files = text.split(',').map((file) => resolve(file.trim()));
  for (const file of files) if (!existsSync(file)) ctx.addIssue(`file not found: ${file}`);
  return files;
});
const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const;

/** Every setting of the service, by its environment variable. A test compares docs/configuration.md with it. */
export const settings = z.object({
  PORT: wholeNumber(0, 65_535).default(4000).describe('Port to listen on. `0` picks a free port.'),
  HOST: z.string().min(1).default('127.0.0.1').describe('Address to listen on.'),
  PUBLIC_URL: addressWithoutPath
    .optional()
    .describe('Base URL that clients use to reach the service, without a path. Default: `http://localhost:<PORT>`.'),
  SITES_URL: address.optional().describe('Base URL of published sites. Default: `<PUBLIC_URL>/sites`.'),
  SECRET_KEY: z
    .string()
    .min(32, 'must be at least 32 characters long. Generate one with `openssl rand -hex 32`')
    .optional()
    .describe(
      'Signs URLs and cursors, and encrypts stored secrets. Required in production, otherwise generated and kept in `DATA_DIR`.',
    ),
  SECRET_KEY_PREVIOUS: z
    .string()
    .min(32, 'must be the former SECRET_KEY, which is at least 32 characters long')
    .optional()
    .describe('The key that `SECRET_KEY` replaces, until `npm run rotate-key` has ended. What it signed stays valid.'),
  DATABASE_URL: databaseAddress
    .optional()
    .describe(
      'PostgreSQL 15 or later, or a pooler in session or transaction mode. If unset, an embedded server keeps its data in `DATA_DIR`.',
    ),
  DATABASE_DIRECT_URL: databaseAddress
    .optional()
    .describe(
      'The server of `DATABASE_URL` without the pooler, for migrations, notifications, the job queue and backups. Only for a pooler in transaction mode. If unset, events are polled every second.',
    ),
  DATABASE_POOL: wholeNumber(2, 500)
    .default(20)
    .describe('Maximum number of pooled database connections of this process.'),
  DATABASE_POOL_TIMEOUT_MS: wholeNumber(1, 600_000)
    .default(2_000)
    .describe('Maximum time that a request waits for a database connection, in milliseconds.'),
  DATABASE_REPLICA_URLS: databaseAddresses
    .optional()
    .describe(
      'Streaming replicas of `DATABASE_URL`, separated by commas. Published content, exports, PDFs, revisions, search and insights are read from them. If unset, everything is read from the primary.',
    ),
  DATABASE_REPLICA_POOL: wholeNumber(1, 500)
    .default(20)
    .describe('Maximum number of pooled connections of this process to each replica.'),
  REPLICA_LAG_MS: wholeNumber(100, 600_000)
    .default(5_000)
    .describe('Age of the state of a replica, in milliseconds, beyond which it is not read until it has caught up.'),
  DATA_DIR: z
    .string()
    .min(1)
    .default('.data')
    .describe('Directory of the embedded database, stored files and the generated secret key.'),
  DISK_RESERVE_MB: wholeNumber(0, 100_000)
    .default(64)
    .describe(
      'Free space in megabytes below which the disk of `DATA_DIR` or of stored files counts as full. The embedded database keeps a file of this size for that case. `0` turns both off.',
    ),
  STORAGE_URL: storageLocation
    .optional()
    .describe(
      'Where files are stored: `s3://bucket/prefix?region=…&endpoint=…` or `file:///path`. Default: `DATA_DIR/blobs`.',
    ),
  STORAGE_PUBLIC: z
    .enum(['service', 'signed'], 'must be service or signed')
    .default('service')
    .describe(
      'How clients download files from a bucket: `service` passes them through the service, `signed` redirects to a signed URL of the bucket.',
    ),
  STORAGE_TIMEOUT_MS: wholeNumber(1, 600_000)
    .default(15_000)
    .describe(
      'How long a bucket may take to answer, and to send the next bytes of a file, in milliseconds. Parts of uploads and copies may take twice as long. Requests are repeated twice.',
    ),
  BOOTSTRAP_TOKEN: z
    .string()
    .regex(/^stemma_[A-Za-z0-9_-]{20,200}$/, 'must be "stemma_" followed by 20 to 200 letters, digits, "-" or "_"')
    .optional()
    .describe(
      "For an empty database: access token of the first administrator of the organization 'Acme', who is also an operator.",
    ),
  BOOTSTRAP_EMAIL: z
    .email('must be an email address such as ada@example.com')
    .max(254, 'must be at most 254 characters long')
    // Names under `.localhost` cannot be registered (RFC 6761, section 6.3), and strict clients accept the address.
    .default('admin@stemma.localhost')
    .describe('For an empty database: email address of the first administrator.'),
  DEMO: flag.optional().describe('`1`: create demo content in an empty database. Default: `1`; in production `0`.'),
  ALLOW_PRIVATE_NETWORK: flag.default(false).describe('`1`: allow outbound requests to private addresses.'),
  SMTP_URL: z
    .url({
      protocol: /^smtps?$/,
      error: 'must be an SMTP URL such as smtp://user:password@mail.example.com:587 or smtps://mail.example.com',
    })
    .optional()
    .describe(
      'Mail server for invitations: `smtps://` for TLS from the start, `smtp://` for STARTTLS if the server offers it. If unset, admins pass invitations on themselves.',
    ),
  MAIL_FROM: z
    .email('must be an email address such as docs@example.com')
    .max(254, 'must be at most 254 characters long')
    .optional()
    .describe('Sender of emails. Default: `stemma@` and the host of `PUBLIC_URL`.'),
  OIDC_ISSUER: z
    .url({ protocol: /^https?$/, error: 'must be a URL such as https://login.example.com' })
    .refine((text) => {
      const { search, hash, username, password } = URL.parse(text) ?? {};
      return !search && !hash && !username && !password;
    }, 'must not contain a query, a fragment, a user name or a password')
    .refine((text) => !text.includes('/.well-known/'), 'must be the issuer itself, without "/.well-known/"')
    .optional()
    .describe(
      'Issuer of an OpenID Connect provider that all people can sign in to the service with. The sessions are those of the people themselves, so it must verify email addresses. If unset, there is none.',
    ),
  OIDC_CLIENT_ID: z.string().min(1).max(256).optional().describe('Client ID of the service at `OIDC_ISSUER`.'),
  OIDC_CLIENT_SECRET: z.string().min(1).optional().describe('Client secret of the service at `OIDC_ISSUER`.'),
  OIDC_LABEL: z
    .string()
    .max(30, 'must be at most 30 characters long')
    .default('single sign-on')
    .describe('Label of that provider on the sign-in page: "Sign in with …".'),
  FETCH_TIMEOUT_MS: wholeNumber(1, 600_000)
    .default(30_000)
    .describe('Maximum duration of an outbound request, in milliseconds, including its response body.'),
  IMPORT_WAIT_MS: wholeNumber(1, 300_000)
    .default(30_000)
    .describe(
      'How long a request waits until the source of its import is read, in milliseconds. Then it starts an import run.',
    ),
  UPLOAD_QUOTA_MB: wholeNumber(1, 10_000_000)
    .default(2_000)
    .describe(
      'Total size of the unexpired uploads of one user in one organization, in megabytes. Uploads expire after a day.',
    ),
  GIT_POLL_SECONDS: wholeNumber(0, 86_400)
    .default(300)
    .describe('How often the branches of Git connections are checked for commits, in seconds. `0` turns polling off.'),
  GIT_PROGRAM: z
    .string()
    .regex(/^[^\s-]\S*$/, 'must be the name or path of the program, such as git or /usr/bin/git')
    .optional()
    .refine((program) => program === undefined || process.platform !== 'win32', 'is not supported on Windows')
    .describe(
      'Name or path of the program `git`, for repositories over SSH, such as `git`. It also needs `ssh` (OpenSSH). If unset, repositories are read and written over HTTP only.',
    ),
  PDF_FONTS: fontFiles
    .optional()
    .describe(
      'TTF or OTF fonts, separated by commas, for characters that the built-in fonts of PDFs lack, such as Thai ones.',
    ),
  TRANSLATION_PROVIDER: z
    .enum(['embedded', 'openai', 'deepl', 'libretranslate'], 'must be embedded, openai, deepl or libretranslate')
    .default('embedded')
    .describe(
      'Provider of translations for organizations without one of their own. `embedded` only marks texts, for trying out translations: it does not translate, and sends nothing to other servers.',
    ),
  TRANSLATION_URL: modelUrl()
    .optional()
    .describe('URL of the API of the translation provider. Default: the public service of `openai` and `deepl`.'),
  TRANSLATION_API_KEY: z.string().min(1).optional().describe('Key of the API of the translation provider.'),
  TRANSLATION_MODEL: z.string().min(1).optional().describe('Model of the translation provider `openai`.'),
  TRANSLATION_CHARACTERS: wholeNumber(0, 2_000_000_000)
    .optional()
    .describe(
      'Characters that each organization may send to the translation provider of the service in a calendar month. Default: no limit.',
    ),
  EMBEDDINGS_URL: modelUrl()
    .optional()
    .describe(
      'URL of an API that is compatible with OpenAI, whose vectors questions in conversations are compared by. Default: none, nothing is sent, and questions are compared by their words.',
    ),
  EMBEDDINGS_API_KEY: z.string().min(1).optional().describe('Key of the API at `EMBEDDINGS_URL`.'),
  EMBEDDINGS_MODEL: z.string().min(1).max(200).optional().describe('Model that gives the vectors.'),
  EMBEDDINGS_CHARACTERS: wholeNumber(0, 2_000_000_000)
    .optional()
    .describe(
      'Characters of questions that each organization may send to `EMBEDDINGS_URL` in a calendar month. Default: no limit.',
    ),
  LABELS_URL: modelUrl()
    .optional()
    .describe(
      'URL of an API that is compatible with OpenAI, whose chat model writes labels and summaries of clusters of conversations. Default: none, nothing is sent, and labels and summaries are taken from the questions.',
    ),
  LABELS_API_KEY: z.string().min(1).optional().describe('Key of the API at `LABELS_URL`.'),
  LABELS_MODEL: z.string().min(1).max(200).optional().describe('Chat model that writes labels and summaries.'),
  LABELS_CHARACTERS: wholeNumber(0, 2_000_000_000)
    .optional()
    .describe(
      'Characters of questions that each organization may send to `LABELS_URL` in a calendar month. Default: no limit.',
    ),
  RATE_LIMIT: wholeNumber(0, 10_000_000)
    .default(6_000)
    .describe('Requests per minute for each access token, or for each address without one. `0` turns the limit off.'),
  TRUST_PROXY: wholeNumber(0, 10)
    .default(0)
    .describe(
      'Number of reverse proxies in front of the service that append to `X-Forwarded-For`. With `0` the header is ignored.',
    ),
  MAX_QUERY_COST: wholeNumber(1, 1_000_000_000).default(50_000).describe('Maximum cost of a GraphQL operation.'),
  QUERY_COST_PER_MINUTE: wholeNumber(0, 1_000_000_000)
    .default(2_000_000)
    .describe(
      'Cost of GraphQL operations and REST lists per minute for each user, or for each address without a token, in one process. `0` turns the limit off.',
    ),
  GRAPHQL_JIT: flag
    .default(true)
    .describe('`0`: interpret GraphQL operations with graphql-js instead of compiling repeated ones.'),
  MAX_ANSWER_MB: wholeNumber(1, 256)
    .default(32)
    .describe('Maximum size of a JSON response or of a page of a site, in megabytes.'),
  STATEMENT_TIMEOUT_MS: wholeNumber(1, 3_600_000)
    .default(10_000)
    .describe('Maximum duration of an SQL statement, in milliseconds.'),
  REQUEST_TIMEOUT_MS: wholeNumber(1, 3_600_000)
    .default(30_000)
    .describe('Deadline of a request, in milliseconds. Its statements are cancelled then.'),
  TRUSTED_DOCUMENTS: z
    .string()
    .min(1)
    .optional()
    .describe('Manifest of the GraphQL documents that clients can refer to by hash. `npm run documents` writes one.'),
  TRUSTED_DOCUMENTS_ONLY: flag
    .default(false)
    .describe(
      '`1`: reject GraphQL documents that are neither in the manifest nor of the web application, except from operators.',
    ),
  WORKERS: flag
    .default(true)
    .describe('`0`: run no background jobs in this process. `npm run worker` starts processes for them.'),
  WEB_CONCURRENCY: wholeNumber(1, 64)
    .default(1)
    .describe('Number of server processes on the port. Each has a database pool of its own.'),
  SHUTDOWN_DELAY_MS: wholeNumber(0, 600_000)
    .optional()
    .describe(
      'How long the service keeps accepting connections after SIGTERM, in milliseconds, while `/readyz` answers 503. Default: `0`; in production `5000`.',
    ),
  OPERATORS_CREATE_ORGANIZATIONS: flag.default(false).describe('`1`: only operators can create organizations.'),
  AUDIT_RETENTION_DAYS: wholeNumber(30, 36_500)
    .default(730)
    .describe(
      'How long audited events are kept, in days, with the addresses of their clients. Then they are deleted. Other events are kept.',
    ),
  LOG_LEVEL: z
    .enum(LOG_LEVELS, `must be ${LOG_LEVELS.slice(0, -1).join(', ')} or ${LOG_LEVELS.at(-1)}`)
    .default('info')
    .describe('Minimum level of log messages.'),
  METRICS_TOKEN: z
    .string()
    .regex(
      /^[!-~]{20,200}$/,
      'must be 20 to 200 ASCII characters without spaces. Generate one with `openssl rand -hex 32`',
    )
    .optional()
    .describe('Bearer token for `/metrics`. If unset, only operators can read it.'),
  SERVER_TIMING: flag.default(false).describe('`1`: add `Server-Timing` with the SQL statements to every response.'),
  NODE_ENV: z
    .string()
    .optional()
    .describe(
      '`production` makes `SECRET_KEY` mandatory, turns the demo content off by default, and keeps the first access token out of logs.',
    ),
});

/** The values of all settings, with defaults. */
export type Settings = z.output<typeof settings>;
