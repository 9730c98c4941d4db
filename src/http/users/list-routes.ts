import { setImmediate as nextTurn } from 'node:timers/promises';
import { type Static, Type } from '@sinclair/typebox';
import { WarningsSchema } from '../../answer/page-answer.ts';
import { Count, ListOf, ObjectOf, strict, Text, Texts } from '../../answer/schema-parts.ts';
import { notFound } from '../../errors.ts';
import { LIMITS } from '../../limits.ts';
import { NONE } from '../../model/key.ts';
import { EXAMPLE_IDS } from '../../model/records/example-ids.ts';
import { ListChanges, type ListEdit, USER_LIST } from '../../model/records/user-list.ts';
import { objectOf } from '../../model/values/record-type.ts';
import type { State } from '../../state/state.ts';
import { INGEST, type Keyed, MODERATORS } from '../identity/admissions.ts';
import { DRY_RUN, ingestWith, notedDryRun } from '../ingest/dry-run.ts';
import { ListAnswerSchema } from '../ingest/ingest-schemas.ts';
import { BY_QUERY } from '../openapi/docs.ts';
import { named } from '../openapi/schema.ts';
import { json, success, warned } from '../transport/answers.ts';
import { bodyOf } from '../transport/body.ts';
import type { Host } from '../transport/host.ts';
import { identifierParameter, integerParameter, optional } from '../transport/parameters.ts';
import { CONTENT_PATH } from '../transport/request-url.ts';
import { route, withTwin } from '../transport/route.ts';

const ID = identifierParameter('list', EXAMPLE_IDS.list);
const OFFSET = integerParameter(
  { min: 0, max: LIMITS.user_list_length_max, absent: 0 },
  'Number of lists, or of users of one list, to skip.',
);
const PATH = `${CONTENT_PATH}/lists/:id`;
/** Identifiers per turn of the event loop. */
const SLICE = 5_000;

const described = {
  list_id: Text('Identifier of the list.', EXAMPLE_IDS.list),
  name: Type.Optional(Text('For people. Absent without one.', 'Editors')),
  size: Count('Number of its users.', 2),
};
const StoredListSchema = named(
  'StoredList',
  strict(
    {
      ...described,
      user_ids: Texts('The users, those first who became known first.', [EXAMPLE_IDS.followed]),
      warnings: Type.Optional({
        ...WarningsSchema,
        description: 'Where to go on, if one answer cannot hold the list.',
      }),
    },
    'A list of users.',
  ),
);
const ListsSchema = named(
  'Lists',
  strict({ lists: ListOf('By identifier.', ObjectOf('A list of users.', described)) }, 'Lists of users.'),
);

const DOCS = { tag: 'Stored records' } as const;
const READ = { answered_by: 'current', docs: { ...DOCS, errors: ['invalid_value', 'not_found'] } } as const;
const WRITE = { admit: INGEST, answered_by: 'leader', ...DRY_RUN, params: { id: ID } } as const;
const bytes_max = LIMITS.body_bytes_max;
const ERRORS = ['quota_exceeded', 'write_queue_full', 'store_unavailable', 'state_full'] as const;
const AT_ONCE = 'The next page of every feed that names the list obeys. No page sees half of the change.';

/** Lists of users, which filters on authors name: `list:<list_id>`. */
export const listRoutes = [
  route('GET', `${CONTENT_PATH}/lists`, {
    ...READ,
    admit: MODERATORS,
    query: {
      list_id: optional(ID),
      limit: integerParameter(
        { min: 1, max: LIMITS.user_lists_max, absent: LIMITS.user_lists_listed_default },
        'Maximum number of lists.',
      ),
      offset: OFFSET,
    },
    answer: json(Type.Union([ListsSchema, StoredListSchema], { description: 'The lists, or one of them.' })),
    docs: {
      ...READ.docs,
      id: 'listLists',
      summary: 'Lists of users',
      description: `Names the lists with their sizes. With \`list_id\` the answer is that list instead. ${BY_QUERY}`,
    },
    handle({ service: { state }, query: { list_id, limit, offset } }) {
      if (list_id !== undefined) return storedList(state, list_id, offset);
      const ids = state.user_lists.ids().slice(offset, offset + limit);
      return { lists: ids.map((id) => description(state, id)) };
    },
  }),
  route('GET', PATH, {
    ...READ,
    admit: MODERATORS,
    params: { id: ID },
    query: { offset: OFFSET },
    answer: json(StoredListSchema),
    docs: { ...READ.docs, id: 'storedList', summary: 'A list of users', description: 'Returns the list.' },
    handle: ({ service: { state }, params: { id }, query: { offset } }) => storedList(state, id, offset),
  }),
  ...withTwin(
    'list_id',
    route('PUT', PATH, {
      ...WRITE,
      body: bodyOf(objectOf(USER_LIST), {
        bytes_max,
        docs: {
          description: 'Up to 100,000 users. At most 16 MiB.',
          examples: { list: { summary: 'A whole list', value: USER_LIST.schema.example } },
        },
      }),
      answer: json(ListAnswerSchema),
      docs: {
        ...DOCS,
        id: 'putList',
        summary: 'Create or replace a list of users',
        description: `Replaces the whole list and its name. ${AT_ONCE} There are at most 1,000 lists, with five million users together.`,
        errors: ERRORS,
      },
      handle: ({ params: { id }, body, ...context }) =>
        edited(context, { list_id: id, ...body, name: body.name ?? '' }, body.user_ids.length),
    }),
  ),
  ...withTwin(
    'list_id',
    route('PATCH', PATH, {
      ...WRITE,
      body: bodyOf(ListChanges, {
        bytes_max,
        docs: {
          description: 'Up to 100,000 users of each. At most 16 MiB.',
          examples: { change: { summary: 'Some users', value: ListChanges.schema.example } },
        },
      }),
      answer: json(ListAnswerSchema),
      docs: {
        ...DOCS,
        id: 'changeList',
        summary: 'Add users to a list, and remove some',
        description: `Changes a list that exists. ${AT_ONCE}`,
        errors: ['not_found', ...ERRORS],
      },
      handle({ params: { id }, body, ...context }) {
        const { add = [], remove = [] } = body;
        const named_so = Object.hasOwn(body, 'name') ? { name: body.name ?? '' } : {};
        return edited(context, { list_id: id, add, remove, ...named_so }, add.length + remove.length);
      },
    }),
  ),
  ...withTwin(
    'list_id',
    route('DELETE', PATH, {
      ...WRITE,
      answer: json(ListAnswerSchema),
      docs: {
        ...DOCS,
        id: 'deleteList',
        summary: 'Delete a list of users',
        description: `A feed that names it shows nothing, or removes nothing, and warns. ${AT_ONCE}`,
        errors: ['not_found', 'write_queue_full', 'store_unavailable'],
      },
      handle: ({ params: { id }, ...context }) => edited(context, { list_id: id, is_deleted: true }, 0),
    }),
  ),
];

interface Editing extends Keyed {
  host: Host;
  query: { dry_run: boolean };
  warnings: readonly string[];
}

/** @param users the number of users of the body, each of whom counts as one record against the quota */
async function edited(context: Editing, edit: ListEdit, users: number) {
  const accepted = Math.max(1, users);
  const { added, removed } = await ingestWith(context, 'lists', accepted, async (into, account) => ({
    ...(await into.userList(edit, account)),
    ...{ accepted, rejected_count: 0 },
  }));
  return success({ added, removed, ...notedDryRun(context.query.dry_run) }, context.warnings);
}

function description({ user_lists }: State, list_id: string) {
  const list = user_lists.get(list_id);
  if (list === undefined) throw notFound('list', list_id);
  const { name, size } = list;
  return { list_id, ...(name === '' ? {} : { name }), size };
}

/** A list with its users as of now. Users who are erased meanwhile are left out. */
async function storedList(
  state: State,
  list_id: string,
  offset: number,
): Promise<Static<typeof StoredListSchema>> {
  const { names } = state.users;
  const described = description(state, list_id);
  const users = state.user_lists.get(list_id)?.users() ?? [];
  const keys = Uint32Array.from(users, (user) => names.key(user))
    .sort()
    .subarray(offset);
  const user_ids: string[] = [];
  const warnings: string[] = [];
  let bytes = 0;
  for (const [index, key] of keys.entries()) {
    if (index % SLICE === SLICE - 1) await nextTurn();
    const user = names.ordinal(key);
    if (user === NONE) continue;
    bytes += Buffer.byteLength(JSON.stringify(names.id(user))) + 1;
    if (bytes > LIMITS.answer_bytes_max / 2) {
      warnings.push(`${user_ids.length} of ${described.size} users; go on with offset ${offset + index}`);
      break;
    }
    user_ids.push(names.id(user));
  }
  return { ...described, user_ids, ...warned(warnings) };
}
