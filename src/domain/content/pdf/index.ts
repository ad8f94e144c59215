export { fontFilesWith } from './font-files.ts';
export { getSpacePdf } from './get-space-pdf.ts';
