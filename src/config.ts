import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { z } from 'zod';
import { trimEndOf } from './lib/trim-characters.ts';
import { readStorageLocation, type StorageLocation } from './platform/storage/storage-location.ts';

const wholeNumber = (min: number, max: number) => {
  const error = `must be a whole number from ${min} to ${max}`;
  return z.coerce.number(error).int(error).min(min, error).max(max, error);
};
const flag = z
  .enum(['0', '1', 'true', 'false'], 'must be 0 or 1')
  .transform((value) => value === '1' || value === 'true');
const address = z
  .url({ protocol: /^https?$/, error: 'must be an address such as https://docs.example.com' })
  .transform((value) => trimEndOf(value, '/'));
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
  for (const file of files) if (!existsSync(file)) ctx.addIssue(`there is no file ${file}`);
  return files;
});
const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const;

/** Every setting of the service, by its environment variable. A test compares docs/configuration.md with it. */
export const settings = z.object({
  PORT: wholeNumber(0, 65_535).default(4000).describe('Port to listen on; 0 takes a free one.'),
  HOST: z.string().min(1).default('127.0.0.1').describe('Address to listen on.'),
  PUBLIC_URL: address
    .optional()
    .describe('Address that clients reach the service by; default `http://localhost:<PORT>`.'),
  SITES_URL: address.optional().describe('Address that published sites stand under; default `<PUBLIC_URL>/sites`.'),
  SECRET_KEY: z
    .string()
    .min(32, 'must be at least 32 characters; `openssl rand -hex 32` makes one')
    .optional()
    .describe(
      'Signs addresses and cursors, encrypts keys that must be shown again. Required in production; else made and kept in `DATA_DIR`.',
    ),
  DATABASE_URL: z
    .url({
      protocol: /^postgres(ql)?$/,
      error: 'must be a PostgreSQL address such as postgres://user:password@host:5432/stemma',
    })
    .optional()
    .describe('PostgreSQL 15 or newer. Unset: an embedded server that keeps its data in `DATA_DIR`.'),
  DATABASE_POOL: wholeNumber(2, 500).default(20).describe('Connections of this process to the database.'),
  DATA_DIR: z
    .string()
    .min(1)
    .default('.data')
    .describe('Directory of the embedded database, stored files and the made key.'),
  STORAGE_URL: storageLocation
    .optional()
    .describe(
      'Where files are stored: `s3://bucket/prefix?region=…&endpoint=…` or `file:///path`; default `DATA_DIR/blobs`.',
    ),
  BOOTSTRAP_TOKEN: z
    .string()
    .regex(/^stemma_[A-Za-z0-9_-]{20,200}$/, 'must be "stemma_" and 20 to 200 letters, digits, "-" or "_"')
    .optional()
    .describe(
      "On an empty database: the personal token of the first administrator of organization 'Acme', an operator.",
    ),
  BOOTSTRAP_EMAIL: z
    .email('must be an e-mail address such as ada@example.com')
    .max(254, 'must be at most 254 characters long')
    // A name under `.localhost` is nobody's (RFC 6761, 6.3), and strict clients take it for an address.
    .default('admin@stemma.localhost')
    .describe('On an empty database: the e-mail address of the first administrator.'),
  DEMO: flag
    .optional()
    .describe(
      '`1`: demo content on an empty database; `0`: none. Default `1`, and `0` when `NODE_ENV` is `production`.',
    ),
  ALLOW_PRIVATE_NETWORK: flag.default(false).describe('`1`: outbound requests may go to private addresses.'),
  FETCH_TIMEOUT_MS: wholeNumber(1, 600_000)
    .default(30_000)
    .describe('Milliseconds that an outbound request may take, until the last byte of its answer.'),
  UPLOAD_QUOTA_MB: wholeNumber(1, 10_000_000)
    .default(2_000)
    .describe('Megabytes that the uploads of one user in one organization may hold together; each lasts a day.'),
  PDF_FONTS: fontFiles
    .optional()
    .describe(
      'Font files (TTF or OTF), separated by commas, for characters that the own fonts of PDFs lack, Chinese ones say.',
    ),
  RATE_LIMIT: wholeNumber(0, 10_000_000)
    .default(6_000)
    .describe('Requests per minute of a token, or of an address without one; `0` sets no limit.'),
  TRUST_PROXY: wholeNumber(0, 10)
    .default(0)
    .describe('How many proxies stand in front, each adding to `X-Forwarded-For`; `0` does not read that header.'),
  MAX_QUERY_COST: wholeNumber(1, 1_000_000_000)
    .default(50_000)
    .describe('What an operation of the graph may cost at most; see "Limits".'),
  MAX_ANSWER_MB: wholeNumber(1, 256)
    .default(32)
    .describe('Megabytes that a JSON answer may have; what would have more is refused.'),
  STATEMENT_TIMEOUT_MS: wholeNumber(1, 3_600_000)
    .default(10_000)
    .describe('Milliseconds that a statement may take in the database.'),
  REQUEST_TIMEOUT_MS: wholeNumber(1, 3_600_000)
    .default(30_000)
    .describe('Milliseconds until a request is given up and its statements are cancelled.'),
  TRUSTED_DOCUMENTS: z
    .string()
    .min(1)
    .optional()
    .describe('Manifest of the documents that clients may name by their hash; `npm run documents` writes it.'),
  TRUSTED_DOCUMENTS_ONLY: flag.default(false).describe('`1`: the graph runs no other documents, except for operators.'),
  WORKERS: flag
    .default(true)
    .describe('`0`: this process runs no background work; `npm run worker` starts processes that do nothing else.'),
  OPERATORS_CREATE_ORGANIZATIONS: flag.default(false).describe('`1`: only operators may create organizations.'),
  LOG_LEVEL: z
    .enum(LOG_LEVELS, `must be ${LOG_LEVELS.slice(0, -1).join(', ')} or ${LOG_LEVELS.at(-1)}`)
    .default('info')
    .describe('How much is logged.'),
  METRICS_TOKEN: z
    .string()
    .regex(/^[!-~]{20,200}$/, 'must be 20 to 200 ASCII characters without spaces; `openssl rand -hex 32` makes one')
    .optional()
    .describe('Reads `/metrics` as a bearer token; without it operators alone can.'),
  SERVER_TIMING: flag.default(false).describe('`1`: every answer carries `Server-Timing` with its SQL statements.'),
  NODE_ENV: z
    .string()
    .optional()
    .describe(
      '`production` makes `SECRET_KEY` required, loads no demo content, and keeps the first token out of logs.',
    ),
});

/** The checked settings, with every default filled in. */
export interface Config {
  port: number;
  host: string;
  publicUrl: string;
  sitesUrl: string;
  secretKey: string | undefined;
  databaseUrl: string | undefined;
  databasePool: number;
  dataDir: string;
  storage: StorageLocation;
  bootstrapToken: string | undefined;
  bootstrapEmail: string;
  demo: boolean;
  allowPrivateNetwork: boolean;
  fetchTimeoutMs: number;
  uploadQuotaBytes: number;
  /** Paths of font files. */
  pdfFonts: string[];
  /** Requests per minute; 0 sets no limit. */
  rateLimit: number;
  /** How many proxies in front are believed. */
  trustProxy: number;
  maxQueryCost: number;
  maxAnswerBytes: number;
  statementTimeoutMs: number;
  requestTimeoutMs: number;
  /** Path of the manifest. */
  trustedDocuments: string | undefined;
  trustedDocumentsOnly: boolean;
  workers: boolean;
  operatorsCreateOrganizations: boolean;
  logLevel: string;
  metricsToken: string | undefined;
  serverTiming: boolean;
  isProduction: boolean;
}

/** A setting is missing or wrong. The message names each one and says what it must be. */
export class ConfigError extends Error {}

/** Reads the settings from an environment. Variables that are set but empty count as unset. */
export function readConfig(environment: Record<string, string | undefined>): Config {
  const present = Object.fromEntries(
    Object.entries(environment).filter(([, value]) => value !== undefined && value !== ''),
  );
  const result = settings.safeParse(present);
  if (!result.success) {
    const lines = result.error.issues.map(({ path, message }) => `  ${path.join('.')}: ${message}`);
    throw new ConfigError(`The configuration is not valid:\n${lines.join('\n')}`);
  }
  const values = result.data;
  const isProduction = values.NODE_ENV === 'production';
  if (isProduction && values.SECRET_KEY === undefined) {
    throw new ConfigError('SECRET_KEY is required when NODE_ENV is production; `openssl rand -hex 32` makes one.');
  }
  if (values.TRUSTED_DOCUMENTS_ONLY && values.TRUSTED_DOCUMENTS === undefined) {
    throw new ConfigError('TRUSTED_DOCUMENTS_ONLY needs TRUSTED_DOCUMENTS, the manifest of the documents to run.');
  }
  const publicUrl = values.PUBLIC_URL ?? `http://localhost:${values.PORT}`;
  const dataDir = resolve(values.DATA_DIR);
  return {
    port: values.PORT,
    host: values.HOST,
    publicUrl,
    sitesUrl: values.SITES_URL ?? `${publicUrl}/sites`,
    secretKey: values.SECRET_KEY,
    databaseUrl: values.DATABASE_URL,
    databasePool: values.DATABASE_POOL,
    dataDir,
    storage: values.STORAGE_URL ?? { kind: 'directory', path: join(dataDir, 'blobs') },
    bootstrapToken: values.BOOTSTRAP_TOKEN,
    bootstrapEmail: values.BOOTSTRAP_EMAIL,
    demo: values.DEMO ?? !isProduction,
    allowPrivateNetwork: values.ALLOW_PRIVATE_NETWORK,
    fetchTimeoutMs: values.FETCH_TIMEOUT_MS,
    uploadQuotaBytes: values.UPLOAD_QUOTA_MB * 1_000_000,
    pdfFonts: values.PDF_FONTS ?? [],
    rateLimit: values.RATE_LIMIT,
    trustProxy: values.TRUST_PROXY,
    maxQueryCost: values.MAX_QUERY_COST,
    maxAnswerBytes: values.MAX_ANSWER_MB * 1_000_000,
    statementTimeoutMs: values.STATEMENT_TIMEOUT_MS,
    requestTimeoutMs: values.REQUEST_TIMEOUT_MS,
    trustedDocuments: values.TRUSTED_DOCUMENTS && resolve(values.TRUSTED_DOCUMENTS),
    trustedDocumentsOnly: values.TRUSTED_DOCUMENTS_ONLY,
    workers: values.WORKERS,
    operatorsCreateOrganizations: values.OPERATORS_CREATE_ORGANIZATIONS,
    logLevel: values.LOG_LEVEL,
    metricsToken: values.METRICS_TOKEN,
    serverTiming: values.SERVER_TIMING,
    isProduction,
  };
}
