export { fontFilesWith } from './font-files.ts';
export { selectedPdfLink } from './pdf-selection.ts';
