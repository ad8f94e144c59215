import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** What the Dockerfile says about containers of the image. */
export interface Image {
  environment: Record<string, string>;
  user: string;
  volume: string;
  port: number;
  command: string[];
}

export function imageOf(): Image {
  const text = readFileSync(join(import.meta.dirname, '../../Dockerfile'), 'utf8');
  const last = text.slice(text.lastIndexOf('\nFROM '));
  const valueAt = (instruction: string) => new RegExp(`^${instruction} (.+)$`, 'm').exec(last)?.[1] ?? '';
  const pairs = valueAt('ENV').split(' ');
  return {
    environment: Object.fromEntries(pairs.map((pair) => pair.split('=') as [string, string])), // NAME=value
    user: valueAt('USER'),
    volume: valueAt('VOLUME'),
    port: Number(valueAt('EXPOSE')),
    command: JSON.parse(valueAt('CMD')),
  };
}
