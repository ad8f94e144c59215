import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { Html, html } from '../../../lib/web/html.ts';

/** Copies code, scrolls the page tree and searches as visitors type. Pages do all else without it. */
const SCRIPT = readFileSync(new URL('./page-script.client.js', import.meta.url), 'utf8');

/** The element at the end of each page. It is the only script that the policy of pages allows, by its hash. */
export const SCRIPT_ELEMENT = html`<script>${new Html(SCRIPT)}</script>`;

export const SCRIPT_SOURCE = `'sha256-${createHash('sha256').update(SCRIPT).digest('base64')}'`;
