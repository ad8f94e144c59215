import { resource } from '../../../platform/resource/resource.ts';
import type { PdfLink } from './pdf-address.ts';

export const pdfLink = resource<PdfLink>({ name: 'PdfLink', description: 'Temporary link to a PDF.' }, (f) => ({
  url: f.url(
    'URL of the PDF. It works without a token, and responds with status 503 while the PDF is being created.',
    ({ url }) => url,
  ),
  expiresAt: f.time('Time when the URL expires, about an hour after the request.', ({ expiresAt }) => expiresAt),
}));
