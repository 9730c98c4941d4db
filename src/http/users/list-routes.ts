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
import type { ValueType } from '../../model/values/values.ts';
import type { State } from '../../state/state.ts';
import { INGEST, MODERATORS } from '../identity/admissions.ts';
import { DRY_RUN, ingestWith, notedDryRun } from '../ingest/dry-run.ts';
import { MembersAnswerSchema } from '../ingest/ingest-schemas.ts';
import { BY_QUERY, type OperationDocs } from '../openapi/docs.ts';
import { named } from '../openapi/schema.ts';
import { json, success, warned } from '../transport/answers.ts';
import { type Body, bodyOf } from '../transport/body.ts';
import { identifierParameter, integerParameter, optional } from '../transport/parameters.ts';
import { CONTENT_PATH } from '../transport/request-url.ts';
import { type Method, type Route, route, withTwin } from '../transport/route.ts';

const ID = identifierParameter('list', EXAMPLE_IDS.list);
const length_max = LIMITS.user_list_length_max;
const PART = {
  limit: integerParameter(
    { min: 1, max: length_max, absent: length_max },
    'Maximum number of lists, or of users of one list.',
  ),
  offset: integerParameter(
    { min: 0, max: LIMITS.user_list_entries_max, absent: 0 },
    'Number of lists, or of users of one list, to skip.',
  ),
};
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
        description: 'Where to go on, if the answer does not have all users.',
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
const READ = {
  admit: MODERATORS,
  answered_by: 'current',
  docs: { ...DOCS, errors: ['not_found'] },
} as const;
const ERRORS = ['quota_exceeded', 'write_queue_full', 'store_unavailable', 'state_full'] as const;
const AT_ONCE = 'The next page of every feed that names the list obeys. No page sees half of the change.';

const read = [
  route('GET', `${CONTENT_PATH}/lists`, {
    ...READ,
    query: { list_id: optional(ID), ...PART },
    answer: json(Type.Union([ListsSchema, StoredListSchema], { description: 'The lists, or one of them.' })),
    docs: {
      ...READ.docs,
      id: 'listLists',
      summary: 'Lists of users',
      description: `Names the lists with their sizes. With \`list_id\` the answer is that list instead. ${BY_QUERY}`,
    },
    handle({ service: { state }, query: { list_id, ...part } }) {
      if (list_id !== undefined) return storedList(state, list_id, part);
      const ids = state.user_lists.ids().slice(part.offset, part.offset + part.limit);
      return { lists: ids.map((id) => description(state, id)) };
    },
  }),
  route('GET', PATH, {
    ...READ,
    params: { id: ID },
    query: PART,
    answer: json(StoredListSchema),
    docs: { ...READ.docs, id: 'getList', summary: 'A list of users', description: 'Returns the list.' },
    handle: ({ service: { state }, params: { id }, query }) => storedList(state, id, query),
  }),
];

interface Change<B> extends Omit<OperationDocs, 'tag'> {
  body?: Body<B, unknown>;
  /** @returns the edit, and the number of users of the body, each of whom counts as one record against the quota */
  edit(body: B): readonly [edit: Omit<ListEdit, 'list_id'>, users: number];
}

function changing<B>(method: Method, { body, edit, ...docs }: Change<B>): Route[] {
  return withTwin(
    'list_id',
    route(method, PATH, {
      ...{ admit: INGEST, answered_by: 'leader', ...DRY_RUN, params: { id: ID }, body },
      answer: json(MembersAnswerSchema),
      docs: { ...DOCS, ...docs, description: `${docs.description} ${AT_ONCE}` },
      async handle({ params: { id }, ...context }) {
        const [changes, users] = edit(context.body);
        const accepted = Math.max(1, users);
        const { added, removed } = await ingestWith(context, 'lists', accepted, async (into, account) => ({
          ...(await into.userList({ list_id: id, ...changes }, account)),
          ...{ accepted, rejected_count: 0 },
        }));
        return success({ added, removed, ...notedDryRun(context.query.dry_run) }, context.warnings);
      },
    }),
  );
}

/** @param what the body has up to 100,000 of */
function usersBody<T>(type: ValueType<T>, what: string, summary: string): Body<T, unknown> {
  const examples = { list: { summary, value: type.schema.example } };
  const docs = { description: `Up to 100,000 ${what}. At most 16 MiB.`, examples };
  return bodyOf(type, { bytes_max: LIMITS.body_bytes_max, docs });
}

/** Lists of users, which filters on authors name: `list:<list_id>`. */
export const listRoutes = [
  ...read,
  ...changing('PUT', {
    id: 'putList',
    summary: 'Create or replace a list of users',
    description:
      'Replaces the whole list and its name. There are at most 1,000 lists, with five million users together.',
    errors: ERRORS,
    body: usersBody(objectOf(USER_LIST), 'users', 'A whole list'),
    edit: (body) => [{ ...body, name: body.name ?? '' }, body.user_ids.length],
  }),
  ...changing('PATCH', {
    id: 'changeList',
    summary: 'Add users to a list, and remove some',
    description: 'Changes a list that exists.',
    errors: ['not_found', ...ERRORS],
    body: usersBody(ListChanges, 'users of each', 'Some users'),
    edit({ add = [], remove = [], ...rest }) {
      const named_so = Object.hasOwn(rest, 'name') ? { name: rest.name ?? '' } : {};
      return [{ add, remove, ...named_so }, add.length + remove.length];
    },
  }),
  ...changing('DELETE', {
    id: 'deleteList',
    summary: 'Delete a list of users',
    description: 'A feed that names it shows nothing, or removes nothing, and warns.',
    errors: ['not_found', 'write_queue_full', 'store_unavailable'],
    edit: () => [{ is_deleted: true }, 0],
  }),
];

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
  { limit, offset }: Record<keyof typeof PART, number>,
): Promise<Static<typeof StoredListSchema>> {
  const { names } = state.users;
  const described = description(state, list_id);
  const users = state.user_lists.get(list_id)?.users() ?? [];
  const keys = Uint32Array.from(users, (user) => names.key(user)).sort();
  const user_ids: string[] = [];
  const warnings: string[] = [];
  let [at, bytes] = [offset, 0];
  for (; at < keys.length && at < offset + limit && bytes < LIMITS.answer_bytes_max / 2; at++) {
    if ((at - offset) % SLICE === SLICE - 1) await nextTurn();
    const user = names.ordinal(keys[at]);
    if (user === NONE) continue;
    user_ids.push(names.id(user));
    bytes += Buffer.byteLength(JSON.stringify(names.id(user))) + 1;
  }
  if (at < keys.length)
    warnings.push(`${user_ids.length} of ${described.size} users; go on with offset ${at}`);
  return { ...described, user_ids, ...warned(warnings) };
}
