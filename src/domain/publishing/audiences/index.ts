export {
  admitVisitor,
  asVisitor,
  type Rejection,
  signInUrl,
  signingPages,
  type VisitorAdmission,
  type VisitorCredentials,
} from './admit-visitor.ts';
export { admitPreview, previewTokenFor } from './preview.ts';
export { siteTokenFor } from './site-token.ts';
export { type VisitorOfRequest, type VisitorRequest, visitorOfRequest } from './visitor-request.ts';
export { siteVisitors } from './visitor-source.ts';
