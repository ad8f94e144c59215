import { join, resolve } from 'node:path';
import type { StorageLocation } from './platform/storage/storage-location.ts';
import { type Settings, settings } from './settings.ts';

/** A model behind an API that is compatible with OpenAI. */
interface ModelConfig {
  url: string;
  apiKey: string | null;
  model: string;
  /** Characters that each organization may send in a calendar month; null for no limit. */
  characterLimit: number | null;
}

/** An OpenID Connect provider, and this service as its client. */
interface OidcConfig {
  issuer: string;
  clientId: string;
  clientSecret: string;
  label: string;
}

/** The validated settings, with defaults. */
export interface Config {
  port: number;
  host: string;
  publicUrl: string;
  sitesUrl: string;
  secretKey: string | undefined;
  secretKeyPrevious: string | undefined;
  databaseUrl: string | undefined;
  /** The server behind the pooler of `databaseUrl`. */
  databaseDirectUrl: string | undefined;
  databasePool: number;
  databasePoolTimeoutMs: number;
  /** URLs of replicas. */
  databaseReplicas: string[];
  /** Connections to each replica. */
  databaseReplicaPool: number;
  /** Maximum age of the state of a replica that is read. */
  replicaLagMs: number;
  dataDir: string;
  diskReserveBytes: number;
  storage: StorageLocation;
  /** Whether clients download files by signed URLs of the bucket. */
  signsFiles: boolean;
  storageTimeoutMs: number;
  bootstrapToken: string | undefined;
  bootstrapEmail: string;
  demo: boolean;
  allowPrivateNetwork: boolean;
  smtpUrl: string | undefined;
  mailFrom: string;
  /** The provider that all people can sign in with; null if none is set. */
  oidc: OidcConfig | null;
  fetchTimeoutMs: number;
  importWaitMs: number;
  uploadQuotaBytes: number;
  /** Seconds between two polls of a Git connection; 0 for none. */
  gitPollSeconds: number;
  /** The program `git`, for SSH. */
  gitProgram: string | undefined;
  /** Paths of font files. */
  pdfFonts: string[];
  translation: {
    provider: 'embedded' | 'openai' | 'deepl' | 'libretranslate';
    url: string | null;
    apiKey: string | null;
    model: string | null;
    /** Characters in a calendar month; null for no limit. */
    characterLimit: number | null;
  };
  /** The model that gives vectors of questions; null if none is set. */
  embeddings: ModelConfig | null;
  /** The chat model that gives labels and summaries of clusters; null if none is set. */
  labels: ModelConfig | null;
  /** Requests per minute; 0 for no limit. */
  rateLimit: number;
  /** Number of trusted proxies. */
  trustProxy: number;
  maxQueryCost: number;
  /** Cost of operations per minute and account; 0 for no limit. */
  queryCostPerMinute: number;
  graphqlJit: boolean;
  maxResponseBytes: number;
  statementTimeoutMs: number;
  requestTimeoutMs: number;
  /** Path of the manifest. */
  trustedDocuments: string | undefined;
  trustedDocumentsOnly: boolean;
  workers: boolean;
  /** Number of server processes. */
  concurrency: number;
  /** Time in which connections are still accepted after SIGTERM. */
  shutdownDelayMs: number;
  operatorsCreateOrganizations: boolean;
  auditRetentionDays: number;
  logLevel: string;
  metricsToken: string | undefined;
  serverTiming: boolean;
  isProduction: boolean;
}

/** A setting is missing or invalid. The message names each one with its requirement. */
export class ConfigError extends Error {}

/** Reads the settings from environment variables. Empty variables count as unset. */
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
    throw new ConfigError(
      'SECRET_KEY is required when NODE_ENV is production. Generate one with `openssl rand -hex 32`.',
    );
  }
  if (values.DATABASE_DIRECT_URL !== undefined && values.DATABASE_URL === undefined) {
    throw new ConfigError('DATABASE_DIRECT_URL requires DATABASE_URL, the pooled URL of the same database.');
  }
  if (values.DATABASE_REPLICA_URLS !== undefined && values.DATABASE_URL === undefined) {
    throw new ConfigError('DATABASE_REPLICA_URLS requires DATABASE_URL: the embedded database has no replicas.');
  }
  const publicUrl = values.PUBLIC_URL ?? `http://localhost:${values.PORT}`;
  const dataDir = resolve(values.DATA_DIR);
  return {
    port: values.PORT,
    host: values.HOST,
    publicUrl,
    sitesUrl: values.SITES_URL ?? `${publicUrl}/sites`,
    secretKey: values.SECRET_KEY,
    secretKeyPrevious: values.SECRET_KEY_PREVIOUS,
    databaseUrl: values.DATABASE_URL,
    databaseDirectUrl: values.DATABASE_DIRECT_URL,
    databasePool: values.DATABASE_POOL,
    databasePoolTimeoutMs: values.DATABASE_POOL_TIMEOUT_MS,
    databaseReplicas: values.DATABASE_REPLICA_URLS ?? [],
    databaseReplicaPool: values.DATABASE_REPLICA_POOL,
    replicaLagMs: values.REPLICA_LAG_MS,
    dataDir,
    diskReserveBytes: values.DISK_RESERVE_MB * 1_000_000,
    storage: storageIn(values, dataDir),
    signsFiles: values.STORAGE_PUBLIC === 'signed',
    storageTimeoutMs: values.STORAGE_TIMEOUT_MS,
    bootstrapToken: values.BOOTSTRAP_TOKEN,
    bootstrapEmail: values.BOOTSTRAP_EMAIL,
    demo: values.DEMO ?? !isProduction,
    allowPrivateNetwork: values.ALLOW_PRIVATE_NETWORK,
    smtpUrl: values.SMTP_URL,
    mailFrom: values.MAIL_FROM ?? `stemma@${new URL(publicUrl).hostname}`,
    oidc: oidcIn(values),
    fetchTimeoutMs: values.FETCH_TIMEOUT_MS,
    importWaitMs: values.IMPORT_WAIT_MS,
    uploadQuotaBytes: values.UPLOAD_QUOTA_MB * 1_000_000,
    gitPollSeconds: values.GIT_POLL_SECONDS,
    gitProgram: values.GIT_PROGRAM,
    pdfFonts: values.PDF_FONTS ?? [],
    translation: translationIn(values),
    embeddings: modelIn('EMBEDDINGS', {
      url: values.EMBEDDINGS_URL,
      apiKey: values.EMBEDDINGS_API_KEY,
      model: values.EMBEDDINGS_MODEL,
      characterLimit: values.EMBEDDINGS_CHARACTERS,
    }),
    labels: modelIn('LABELS', {
      url: values.LABELS_URL,
      apiKey: values.LABELS_API_KEY,
      model: values.LABELS_MODEL,
      characterLimit: values.LABELS_CHARACTERS,
    }),
    rateLimit: values.RATE_LIMIT,
    trustProxy: values.TRUST_PROXY,
    maxQueryCost: values.MAX_QUERY_COST,
    queryCostPerMinute: values.QUERY_COST_PER_MINUTE,
    graphqlJit: values.GRAPHQL_JIT,
    maxResponseBytes: values.MAX_ANSWER_MB * 1_000_000,
    statementTimeoutMs: values.STATEMENT_TIMEOUT_MS,
    requestTimeoutMs: values.REQUEST_TIMEOUT_MS,
    trustedDocuments: values.TRUSTED_DOCUMENTS && resolve(values.TRUSTED_DOCUMENTS),
    trustedDocumentsOnly: values.TRUSTED_DOCUMENTS_ONLY,
    workers: values.WORKERS,
    concurrency: values.WEB_CONCURRENCY,
    shutdownDelayMs: values.SHUTDOWN_DELAY_MS ?? (isProduction ? 5_000 : 0),
    operatorsCreateOrganizations: values.OPERATORS_CREATE_ORGANIZATIONS,
    auditRetentionDays: values.AUDIT_RETENTION_DAYS,
    logLevel: values.LOG_LEVEL,
    metricsToken: values.METRICS_TOKEN,
    serverTiming: values.SERVER_TIMING,
    isProduction,
  };
}

function storageIn({ STORAGE_URL, STORAGE_PUBLIC }: Settings, dataDir: string): StorageLocation {
  const storage = STORAGE_URL ?? { kind: 'directory', path: join(dataDir, 'blobs') };
  if (STORAGE_PUBLIC === 'signed' && storage.kind === 'directory') {
    throw new ConfigError(
      'STORAGE_PUBLIC=signed requires a bucket. Set STORAGE_URL to s3://bucket/prefix, or remove STORAGE_PUBLIC.',
    );
  }
  return storage;
}

/** The translation provider, with everything that its kind requires. */
function translationIn(values: Settings): Config['translation'] {
  const { TRANSLATION_PROVIDER: provider, TRANSLATION_URL: url, TRANSLATION_API_KEY: apiKey } = values;
  const { TRANSLATION_MODEL: model, TRANSLATION_CHARACTERS: characterLimit } = values;
  const lacks = (name: string) => new ConfigError(`TRANSLATION_PROVIDER ${provider} requires ${name}.`);
  if (provider === 'openai' && model === undefined) throw lacks('TRANSLATION_MODEL');
  if (provider === 'deepl' && apiKey === undefined) throw lacks('TRANSLATION_API_KEY');
  if (provider === 'libretranslate' && url === undefined) throw lacks('TRANSLATION_URL');
  return {
    provider,
    url: url ?? null,
    apiKey: apiKey ?? null,
    model: model ?? null,
    characterLimit: characterLimit ?? null,
  };
}

/** The provider of the whole service with everything that it requires. Null without an issuer. */
function oidcIn(values: Settings): Config['oidc'] {
  const { OIDC_ISSUER: issuer, OIDC_CLIENT_ID: clientId, OIDC_CLIENT_SECRET: clientSecret } = values;
  if (issuer === undefined) {
    const setting = clientId === undefined ? 'OIDC_CLIENT_SECRET' : 'OIDC_CLIENT_ID';
    if (clientId !== undefined || clientSecret !== undefined) throw new ConfigError(`${setting} requires OIDC_ISSUER.`);
    return null;
  }
  if (clientId === undefined) throw new ConfigError('OIDC_ISSUER requires OIDC_CLIENT_ID.');
  if (clientSecret === undefined) throw new ConfigError('OIDC_ISSUER requires OIDC_CLIENT_SECRET.');
  if (!issuer.startsWith('https:') && !values.ALLOW_PRIVATE_NETWORK)
    throw new ConfigError('OIDC_ISSUER must begin with https://, unless ALLOW_PRIVATE_NETWORK is 1.');
  return { issuer, clientId, clientSecret, label: values.OIDC_LABEL };
}

type Given<Values> = { [Name in keyof Values]: NonNullable<Values[Name]> | undefined };

/** A model with everything that it requires. Null without a URL. */
function modelIn(prefix: string, { url, apiKey, model, characterLimit }: Given<ModelConfig>): ModelConfig | null {
  if (url === undefined && model === undefined) return null;
  if (url === undefined) throw new ConfigError(`${prefix}_MODEL requires ${prefix}_URL.`);
  if (model === undefined) throw new ConfigError(`${prefix}_URL requires ${prefix}_MODEL.`);
  return { url, apiKey: apiKey ?? null, model, characterLimit: characterLimit ?? null };
}
