export { type BodyRows, type BodyRowsJson, bodyRows, bodyTexts, type SourceRow, sourceText } from './body-rows.ts';
export {
  DERIVED_VERSION,
  deriveFromBody,
  deriveWithText,
  type KnownAddresses,
  type PreparedDocument,
  prepareReplacement,
  readForm,
  seededKeys,
  type ValidatedBody,
} from './prepare-document.ts';
export { type BodySource, type PreparedSource, prepareSource, type SourceLink } from './source-text.ts';
