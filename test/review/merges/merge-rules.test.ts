import { expect, test } from 'vitest';
import { world } from '../../world.ts';
import { arrangeIn } from '../reviews/arrange.ts';

const site = await world();
const { admin, creator, editor, reviewer, reader, organizationId } = site;
const arrange = arrangeIn(site);
const { spaceId, pageIds } = await arrange.space('One.');
const [pageId] = pageIds;
const space = `/v1/spaces/${spaceId}`;

type Rules = { type: string; rules?: object[] };

const setRules = async (at: string, mergeRules: Rules) => {
  const { status, body } = await admin.patch(at, { mergeRules });
  expect([status, body.error]).toEqual([200, undefined]);
};

/** Sets the merge rules of the space. */
const rule = (...rules: object[]) => setRules(space, { type: 'rules', rules });

interface Facts {
  by?: typeof editor;
  subject?: string;
  description?: string;
  reviews?: (readonly [typeof editor, 'approved' | 'changes-requested'])[];
  editedSince?: boolean;
  outdated?: boolean;
}

/** Creates a change request with the given properties. */
async function proposal({ by = editor, subject, description, reviews = [], editedSince, outdated }: Facts = {}) {
  const id = await arrange.changeRequest(by, spaceId, subject === undefined ? {} : { subject });
  if (description !== undefined) {
    const given = { changeRequestId: id, description: { markdown: description } };
    await by.mutate('updateChangeRequest', given, 'changeRequest { id }');
  }
  for (const [who, status] of reviews) {
    expect((await who.post(`${space}/change-requests/${id}/reviews`, { status })).status).toBe(201);
  }
  if (editedSince) await arrange.edit(by, id, { insertPage: { title: 'Since' } });
  if (outdated) await arrange.editMain(editor, spaceId, { updatePage: { pageId, title: `Title of ${id}` } });
  return id;
}

/** The unmet rules of a caller. Checks that both transports and the merge itself agree. */
async function unmetFor(by: typeof editor, id: string): Promise<string[]> {
  const query = 'query($id: ID!) { changeRequest(id: $id) { mergeability { mergeable unmetRules { rule message } } } }';
  const { mergeable, unmetRules } = (await by.graphql(query, { id })).changeRequest.mergeability;
  const { status, body } = await by.post(`${space}/change-requests/${id}/merge`);
  expect([mergeable, status]).toEqual(unmetRules.length === 0 ? [true, 200] : [false, 412]);
  for (const { rule: name, message } of unmetRules)
    expect(body.error.message).toContain(`${name.toLowerCase()}: ${message}`);
  return unmetRules.map((unmet: { rule: string; message: string }) => unmet.message);
}

const approvedBy = (...who: (typeof editor)[]): Facts['reviews'] => who.map((each) => [each, 'approved'] as const);
const users = [reviewer.userId, creator.userId];

const CASES: [object, Facts, string | null][] = [
  [{ rule: 'require_specific_reviewers', users }, { reviews: approvedBy(reviewer, creator) }, null],
  [{ rule: 'require_specific_reviewers', users }, { reviews: approvedBy(reviewer) }, 'approval by Creator.'],
  [{ rule: 'require_specific_reviewers', users }, {}, 'approval by Reviewer, Creator.'],
  [
    { rule: 'require_specific_reviewers', users },
    { reviews: approvedBy(reviewer, creator), editedSince: true },
    'Creator',
  ],
  [{ rule: 'require_one_of_specific_reviewers', users }, { reviews: approvedBy(creator) }, null],
  [
    { rule: 'require_one_of_specific_reviewers', users },
    { reviews: approvedBy(admin) },
    'approval by one of Reviewer, Creator.',
  ],
  [{ rule: 'require_at_least_one_review' }, { reviews: [[reviewer, 'changes-requested']] }, null],
  [{ rule: 'require_at_least_one_review' }, {}, 'has not been reviewed'],
  [
    { rule: 'require_at_least_one_review' },
    { reviews: approvedBy(reviewer), editedSince: true },
    'The current revision',
  ],
  [
    { rule: 'require_at_least_one_review' },
    { by: reviewer, reviews: [[reviewer, 'changes-requested']] },
    'has not been reviewed',
  ],
  [{ rule: 'require_at_least_one_approved_review' }, { reviews: approvedBy(creator) }, null],
  [
    { rule: 'require_at_least_one_approved_review' },
    { reviews: [[creator, 'changes-requested']] },
    'has not been approved',
  ],
  [{ rule: 'require_all_reviews_approved' }, {}, null],
  [{ rule: 'require_all_reviews_approved' }, { reviews: approvedBy(reviewer, creator) }, null],
  [
    { rule: 'require_all_reviews_approved' },
    {
      reviews: [
        [reviewer, 'approved'],
        [creator, 'changes-requested'],
      ],
    },
    'requested by Creator.',
  ],
  [
    { rule: 'require_all_reviews_approved' },
    { reviews: [[creator, 'changes-requested']], editedSince: true },
    'requested by Creator.',
  ],
  [
    { rule: 'require_all_reviews_approved' },
    {
      reviews: [
        [creator, 'changes-requested'],
        [creator, 'approved'],
      ],
    },
    null,
  ],
  [{ rule: 'require_agent_review' }, { reviews: approvedBy(reviewer) }, 'No agent'],
  [{ rule: 'require_up_to_date_change_request' }, {}, null],
  [{ rule: 'require_up_to_date_change_request' }, { outdated: true }, 'out of date'],
  [{ rule: 'require_change_request_subject' }, { subject: 'Better' }, null],
  [{ rule: 'require_change_request_subject' }, { subject: '  ' }, 'no subject'],
  [{ rule: 'require_change_request_description' }, { description: 'Shorter.' }, null],
  [{ rule: 'require_change_request_description' }, { subject: 'Better' }, 'no description'],
  [{ rule: 'require_author_to_merge' }, { by: reviewer }, null],
  [{ rule: 'require_author_to_merge' }, { by: creator }, 'Only the author'],
  [{ rule: 'custom', expression: 'changeRequest.subject.includes("DOC-")' }, { subject: 'DOC-7: better' }, null],
  [{ rule: 'custom', expression: 'changeRequest.subject.includes("DOC-")' }, { subject: 'Better' }, 'not met'],
  [{ rule: 'custom', expression: 'changeRequest.description' }, { description: 'Why' }, null],
  [
    { rule: 'custom', expression: 'approvals.length >= 2', message: 'Two, please.' },
    { reviews: approvedBy(reviewer) },
    'Two, please.',
  ],
  [{ rule: 'custom', expression: 'approvals.length >= 2' }, { reviews: approvedBy(reviewer, creator) }, null],
  [
    { rule: 'custom', expression: 'reviews.length == 0 || reviews[0].status == "approved"' },
    { reviews: approvedBy(admin) },
    null,
  ],
  [{ rule: 'custom', expression: 'changeRequest.outdated == false' }, { outdated: true }, 'not met'],
  [{ rule: 'custom', expression: 'changeRequest.createdBy.id != actor.id' }, { by: reviewer }, 'not met'],
  [{ rule: 'custom', expression: 'visitor.claims.admin' }, {}, 'visitor is not defined.'],
];

test.each(CASES.map(([given, facts, why], index) => ({ index, given, facts, why })))(
  'case $index: $given.rule',
  async ({ given, facts, why }) => {
    await rule();
    const id = await proposal(facts);
    await rule(given);
    const unmet = await unmetFor(reviewer, id);
    expect(unmet).toEqual(why === null ? [] : [expect.stringContaining(why)]);
  },
);

test('all rules are checked in order; users of a bypass rule need not meet them', async () => {
  const rules = [{ rule: 'require_change_request_subject' }, { rule: 'require_author_to_merge' }];
  await rule(...rules, { rule: 'allow_bypass', users: [admin.userId] });
  const id = await proposal();
  expect(await unmetFor(reviewer, id)).toEqual([
    'The change request has no subject.',
    'Only the author of the change request can merge it.',
  ]);
  expect(await unmetFor(admin, id)).toEqual([]);
});

test('a bypass rule alone does not prevent a merge', async () => {
  await rule({ rule: 'allow_bypass', users: [admin.userId] });
  expect(await unmetFor(reviewer, await proposal())).toEqual([]);
});

const disable = (disabled: boolean) =>
  admin.mutate('updateMember', { organizationId, userId: creator.userId, disabled }, 'member { id }');

test.each([
  ['is disabled', () => disable(true), () => disable(false)],
  [
    'has lost the role on the space',
    () => site.grant(spaceId, creator.userId, 'comment'),
    () => site.app.services.db.deleteFrom('grant').where('granteeId', '=', creator.userId).execute(),
  ],
])('a review counts only while its reviewer can review: not of one who %s', async (_why, shutOut, readmit) => {
  await rule();
  const approved = await proposal({ reviews: approvedBy(creator) });
  const refused = await proposal({ reviews: [[creator, 'changes-requested']] });
  const rules = [
    { rule: 'require_at_least_one_review' },
    { rule: 'require_at_least_one_approved_review' },
    { rule: 'require_specific_reviewers', users: [creator.userId] },
    { rule: 'custom', expression: 'approvals.length >= 1', message: 'One, please.' },
  ];
  await rule(...rules);
  await shutOut();
  expect(await unmetFor(reviewer, approved)).toEqual([
    'The current revision has not been reviewed.',
    'The current revision has not been approved.',
    'Still needs approval by Creator.',
    'One, please.',
  ]);
  const { body } = await reviewer.get(`${space}/change-requests/${approved}/reviews`);
  expect(body.items).toMatchObject([{ status: 'approved', reviewer: { id: creator.userId } }]);
  await rule({ rule: 'require_all_reviews_approved' });
  expect(await unmetFor(reviewer, refused)).toEqual([]);
  await readmit();
  await rule(...rules);
  expect(await unmetFor(reviewer, approved)).toEqual([]);
});

test('approvals by members of the former organization do not count after a transfer', async () => {
  const { spaceId: moved } = await arrange.space('One.');
  const path = `/v1/spaces/${moved}`;
  const id = await arrange.changeRequest(editor, moved);
  expect((await reviewer.post(`${path}/change-requests/${id}/reviews`, { status: 'approved' })).status).toBe(201);
  await setRules(path, { type: 'rules', rules: [{ rule: 'require_at_least_one_approved_review' }] });
  const { organization } = await admin.mutate('createOrganization', { title: 'Elsewhere' }, 'organization { id }');
  expect((await admin.post(`${path}/transfer`, { organization: organization.id })).status).toBe(200);
  const { status, body } = await admin.post(`${path}/change-requests/${id}/merge`);
  expect([status, body.error.message]).toEqual([412, expect.stringContaining('has not been approved')]);
});

test('a space may inherit the rules of its organization, have its own, or none', async () => {
  const organization = `/v1/orgs/${organizationId}`;
  await setRules(organization, { type: 'rules', rules: [{ rule: 'require_change_request_subject' }] });
  await setRules(space, { type: 'inherit' });
  const id = await proposal();
  expect(await unmetFor(reviewer, id)).toEqual(['The change request has no subject.']);
  await rule({ rule: 'require_change_request_description' });
  expect(await unmetFor(reviewer, id)).toEqual(['The change request has no description.']);
  await setRules(space, { type: 'inherit' });
  await setRules(organization, { type: 'none' });
  expect(await unmetFor(reviewer, id)).toEqual([]);
  await setRules(organization, { type: 'rules', rules: [{ rule: 'require_change_request_subject' }] });
  await setRules(space, { type: 'none' });
  expect(await unmetFor(reviewer, await proposal())).toEqual([]);
  await setRules(organization, { type: 'rules', rules: [] });
});

test('the graph returns an error code and a message for each rule', async () => {
  await rule({ rule: 'require_change_request_subject' }, { rule: 'require_change_request_description' });
  const id = await proposal();
  await expect(reviewer.mutate('mergeChangeRequest', { changeRequestId: id }, 'result')).rejects.toMatchObject({
    code: 'PRECONDITION_FAILED',
    errors: [
      {
        extensions: {
          issues: [
            { path: ['mergeRules', 'require_change_request_subject'], message: 'The change request has no subject.' },
            {
              path: ['mergeRules', 'require_change_request_description'],
              message: 'The change request has no description.',
            },
          ],
        },
      },
    ],
  });
});

test('rules do not prevent updates, nor merging a merged change request again', async () => {
  await rule();
  const id = await proposal({ outdated: true });
  await rule({ rule: 'require_change_request_subject' });
  const path = `${space}/change-requests/${id}`;
  expect((await editor.post(`${path}/update`)).body.result).toBe('update');
  await rule();
  const first = await reviewer.post(`${path}/merge`);
  await rule({ rule: 'require_change_request_subject' });
  expect((await reviewer.post(`${path}/merge`)).body).toEqual(first.body);
  const query =
    'query($id: ID!) { changeRequest(id: $id) { mergeability { mergeable unmetRules { rule } conflicts { id } } } }';
  expect((await reader.graphql(query, { id })).changeRequest.mergeability).toEqual({
    mergeable: false,
    unmetRules: [],
    conflicts: [],
  });
});

test.each([['changeRequest.subject ='], ['reviews.map(x)'], ['function() {}'], ['a; b']])(
  'a custom rule that does not parse is refused: %s',
  async (expression) => {
    const mergeRules = { type: 'rules', rules: [{ rule: 'custom', expression }] };
    for (const at of [space, `/v1/orgs/${organizationId}`]) {
      const { status, body } = await admin.patch(at, { mergeRules });
      expect([status, body.error?.message]).toEqual([400, expect.stringContaining('expression')]);
    }
  },
);
