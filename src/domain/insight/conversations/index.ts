export { type ClusterRow, loadCluster } from './access.ts';
export { issuesCluster } from './resources.ts';
