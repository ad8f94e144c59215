export { type BodyRows, type BodyTexts, bodyRows, bodyTexts, type SourceRow, sourceText } from './body-rows.ts';
export {
  DERIVED_VERSION,
  deriveFromBody,
  deriveWithText,
  type KnownAddresses,
  type PreparedDocument,
  prepareReplacement,
  type ReadBody,
  readForm,
  seededKeys,
} from './prepare-document.ts';
export { type PreparedSource, prepareSource, type SourceLink, type SourceText } from './source-text.ts';
