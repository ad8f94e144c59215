export { getSpacePdf } from './get-space-pdf.ts';
