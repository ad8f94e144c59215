export {
  type Admission,
  admitVisitor,
  asVisitor,
  type Rejection,
  signInUrl,
  signingPages,
  type VisitorCredentials,
} from './admit-visitor.ts';
export { admitPreview, previewTokenFor } from './preview.ts';
export { siteTokenFor } from './site-token.ts';
export { type SiteRequest, type VisitorOfRequest, visitorOfRequest } from './visitor-request.ts';
export { siteVisitors } from './visitor-source.ts';
