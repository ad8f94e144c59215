export { type BodyRows, type BodyTexts, bodyRows, bodyTexts, type SourceRow, sourceText } from './body-rows.ts';
export {
  DERIVED_VERSION,
  derive,
  deriveWithText,
  type KnownAddresses,
  type PreparedDocument,
  type ReadBody,
  readForm,
  seededKeys,
  writeOver,
} from './prepare-document.ts';
export { type PreparedSource, prepareSource, type SourceLink, type SourceText } from './source-text.ts';
