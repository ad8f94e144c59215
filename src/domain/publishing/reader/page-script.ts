import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { Html, html } from '../../../lib/document-html/html.ts';
import { ownFile } from '../../../platform/own-files.ts';

/** Copies code, scrolls the page tree and searches as visitors type. Pages do all else without it. */
const SCRIPT = readFileSync(ownFile('src/domain/publishing/reader/page-script.client.js'), 'utf8');

/** The element at the end of each page. It is the only script that the policy of pages allows, by its hash. */
export const SCRIPT_ELEMENT = html`<script>${new Html(SCRIPT)}</script>`;

export const SCRIPT_SOURCE = `'sha256-${createHash('sha256').update(SCRIPT).digest('base64')}'`;
