import { listRoute, type Route, resourceResponse, route } from '../../../platform/http/route.ts';
import { gitSync } from '../../store/git-sync/index.ts';
import { cancelGitRun } from './cancel-git-run.ts';
import { exportSpaceToGit } from './export-space-to-git.ts';
import { getGitRun } from './get-git-run.ts';
import { getSpaceGitInfo } from './get-space-git-info.ts';
import { importSpaceFromGit } from './import-space-from-git.ts';
import { listGitRuns } from './list-git-runs.ts';
import { removeLegacyGitInstallation } from './remove-legacy-git-installation.ts';
import { gitRun, gitRunWithReport } from './resources.ts';

const GIT = '/v1/spaces/:spaceId/git';
const RUN = `${GIT}/runs/:gitRunId`;

export const gitRoutes: Route[] = [
  route('POST', `${GIT}/import`, importSpaceFromGit, { operationId: 'importGitRepository' }),
  route('POST', `${GIT}/export`, exportSpaceToGit, { operationId: 'exportToGitRepository' }),
  route('GET', `${GIT}/info`, getSpaceGitInfo, { operationId: 'getSpaceGitInfo', response: resourceResponse(gitSync) }),
  route('DELETE', `${GIT}/legacy-installation`, removeLegacyGitInstallation, {
    operationId: 'deleteLegacyGitInstallation',
    status: ({ deletedId }) => (deletedId === null ? 204 : 205),
    statuses: [204, 205],
  }),
  listRoute(`${GIT}/runs`, listGitRuns, { operationId: 'listGitRuns', response: resourceResponse(gitRun) }),
  route('GET', RUN, getGitRun, { operationId: 'getGitRun', ...gitRunWithReport }),
  route('POST', `${RUN}/cancel`, cancelGitRun, { operationId: 'cancelGitRun', ...gitRunWithReport }),
];
