import { fileURLToPath } from 'node:url';
import { trimOf } from '../../lib/trim-characters.ts';

export interface DirectoryLocation {
  kind: 'directory';
  path: string;
}

export interface S3Location {
  kind: 's3';
  bucket: string;
  /** Prefix of all keys, with a trailing slash, or empty. */
  prefix: string;
  /** Default: that of AWS tools, or us-east-1 for other services. Most have no regions. */
  region: string | undefined;
  /** URL of a service other than AWS. */
  endpoint: string | undefined;
}

/** Location of stored files. */
export type StorageLocation = DirectoryLocation | S3Location;

/**
 * Parses `s3://bucket/prefix?region=…&endpoint=…` or `file:///path`. The message of its errors is for operators, and
 * continues the name of the setting.
 */
export function readStorageLocation(text: string): StorageLocation {
  const url = URL.parse(text);
  if (url?.protocol === 'file:') return directoryAt(url);
  if (url?.protocol === 's3:') return bucketAt(url);
  throw new Error('must be s3://bucket/prefix?region=…&endpoint=… or file:///path');
}

function directoryAt(url: URL): DirectoryLocation {
  if (url.host !== '') throw new Error('must have three slashes: file:///path');
  return { kind: 'directory', path: fileURLToPath(url) };
}

function bucketAt(url: URL): S3Location {
  const { hostname: bucket, pathname, searchParams, username, password, port } = url;
  if (!BUCKET.test(bucket) || port !== '') throw new Error('must name a bucket: s3://bucket/prefix');
  if (username || password) throw new Error('must hold no keys; they are read from AWS_ACCESS_KEY_ID and the like');
  for (const name of searchParams.keys()) {
    if (name !== 'region' && name !== 'endpoint')
      throw new Error(`has the unknown part "${name}"; only region and endpoint are allowed`);
  }
  const endpoint = searchParams.get('endpoint') ?? undefined;
  if (endpoint !== undefined && !/^https?:$/.test(URL.parse(endpoint)?.protocol ?? '')) {
    throw new Error('must have an endpoint that begins with http:// or https://');
  }
  const folder = trimOf(pathname, '/');
  if (!FOLDER.test(folder)) throw new Error('must have a prefix of letters, digits, "-", "_", "." and "/" only');
  const prefix = folder === '' ? '' : `${folder}/`;
  return { kind: 's3', bucket, prefix, region: searchParams.get('region') ?? undefined, endpoint };
}

/** Names of general purpose buckets (Amazon S3 user guide, "Bucket naming rules"). */
const BUCKET = /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/;

/** Characters that need no encoding in any service (Amazon S3 user guide, "Object key naming guidelines"). */
const FOLDER = /^[\w./-]*$/;
