import { describe, expect, test } from 'bun:test';
import { COLUMN_WORDS, folded } from '../../src/mapping/column-words.ts';
import { guess, guessField, guessSkip } from '../../src/mapping/guess.ts';
import { fieldsOf, KINDS } from '../../src/mapping/kinds.ts';
import { parseMap } from '../../src/mapping/parse-map.ts';
import type { Sample } from '../../src/mapping/sample.ts';
import { writeMap } from '../../src/mapping/write-map.ts';

/** The first rows of files, as texts by name: a header and rows with `;` between cells. */
function samples(files: Record<string, readonly string[]>): Sample[] {
  return Object.entries(files).map(([name, [header, ...lines]]) => {
    const columns = header.split(';');
    const rows = lines.map((line) => {
      const cells = line.split(';');
      return Object.fromEntries(columns.map((column, index) => [column, cells[index] ?? '']));
    });
    return { name, columns, rows };
  });
}

/** The proposed lines, each with its doubts below it; then the files that are left out. */
function proposed(files: Record<string, readonly string[]>): string[] {
  const { maps, left_out } = guess(samples(files));
  return [
    ...maps.flatMap(({ map, doubts }) => [
      writeMap(map),
      ...doubts.map(({ field, text }) => `? ${field === undefined ? '' : `${field}: `}${text}`),
    ]),
    ...left_out.map(({ name, reason }) => `- ${name}: ${reason}`),
  ];
}

describe('the guess of maps', () => {
  test.each<[string, Record<string, readonly string[]>, string[]]>([
    [
      'a forum with names in capitals, milliseconds, days, and yes or no',
      {
        'Mitglieder.csv': [
          'uid;Nick;Registriert;Gesperrt',
          '1;ann;26.11.2025 14:05;N',
          '2;bo;27.11.2025 09:00;Y',
        ],
        'Posts.csv': [
          'PostNr;poster;when;Board;Inhalt;Antwort auf;Gelöscht',
          '7;1;1764000000000;Bikes;<p>Hello</p>;;N',
          '8;2;1764000001000;Bikes;Hi;7;Y',
        ],
        'follows.csv': ['follower;uid', '1;2'],
      },
      [
        'Mitglieder.csv=users:user_id=uid,username=Nick,created_at=Registriert@dd.mm.yyyy,hidden=Gesperrt[N:false,*:true]',
        "? hidden: users are hidden unless it is 'N' or empty",
        "Posts.csv=items:item_id=PostNr,author_id=poster,created_at=when@ms,text=Inhalt,text_format='html',channel=Board,parent_item_id=Antwort auf,skip=Gelöscht[N:keep,*:skip]",
        "? skip=Gelöscht: rows stay out unless it is 'N' or empty",
        "Posts.csv=interactions:user_id=poster['':skip],item_id=Antwort auf['':skip],event_id=PostNr,timestamp=when@ms,event_type='comment',skip=Gelöscht[N:keep,*:skip]",
        'follows.csv=follows:user_id=follower,target_user_id=uid',
      ],
    ],
    [
      'columns of hashtags, titles of links and descriptions of pictures, beside labels',
      {
        'posts.csv': [
          'id;author;created_at;text;tags;hashtags;link_title;alt_text',
          '1;ann;2026-11-26T14:05:00Z;Hello;music;vinyl|jazz;A page;A cat',
        ],
      },
      [
        'posts.csv=items:item_id=id,author_id=author,created_at=created_at,text=text,ai_labels=tags,tags=hashtags,link_titles=link_title,alt_texts=alt_text',
      ],
    ],
    [
      'ratings, and movies without authors and dates',
      {
        'movies.csv': ['movieId;title;genres', '1;Toy Story (1995);Comedy|Fantasy'],
        'ratings.csv': ['userId;movieId;rating;timestamp', '1;1;4.0;964982703', '2;1;0.5;964982703'],
        'links.csv': ['movieId;imdbId;tmdbId', '1;0114709;862'],
      },
      [
        "movies.csv=items:item_id=movieId,text=title,ai_labels=genres,author_id=''",
        '? author_id: no column names the author',
        '? created_at: no column has times: posts are as old as the first act on them',
        'ratings.csv=interactions:user_id=userId,item_id=movieId,event_type=rating[>=4:like,*:skip],timestamp=timestamp',
        '? event_type: values from 0.5 to 4: likes from 4 on, rows with lower ones stay out',
        '- links.csv: neither its name nor its columns say what its lines are',
      ],
    ],
    [
      'documents of a database, with names of users instead of numbers',
      {
        'accounts.jsonl': [
          '_id.$oid;handle;createdAt.$date',
          'a1;ann;2025-11-26T14:05:00Z',
          'b2;bo;2025-11-26T14:05:00Z',
        ],
        'articles.jsonl': [
          '_id.$oid;author.name;body;publishedAt',
          'p1;ann;Hi;1764000000',
          'p2;bo;Ho;1764000001',
        ],
        'feedback.jsonl': [
          'userName;articleId;type;ts',
          'ann;p2;star;1764000000000000',
          'bo;p1;read;1764000000000001',
          'bo;p1;mail;1764000000000001',
        ],
      },
      [
        'accounts.jsonl=users:user_id=handle,username=handle,created_at=createdAt.$date',
        '? user_id: other files have values of handle, and none of _id.$oid',
        'articles.jsonl=items:item_id=_id.$oid,author_id=author.name,created_at=publishedAt,text=body',
        'feedback.jsonl=interactions:user_id=userName,item_id=articleId,event_type=type[star:like,read:view,*:skip],timestamp=ts@us',
        "? event_type: what 'star', 'read', 'mail' are here; rows with 'mail' stay out",
      ],
    ],
    [
      'a raw table with states of privacy: what is not known to be public stays out',
      {
        'posts.csv': [
          'id;user_id;cooked;created_at;post_type;visibility;archetype;approved;deleted_at',
          '1;2;x;2024-03-02 08:15:00;1;0;regular;t;',
          '2;2;x;2024-03-02 08:15:00;4;3;private_message;f;2024-03-02 08:15:00',
        ],
        'post_likes.csv': ['post_id;user_id;created_at;deleted_at', '1;2;2024-03-02 08:15:00;'],
        'direct_messages.csv': ['id;user_id;body;created_at', '1;2;x;2024-03-02 08:15:00'],
      },
      [
        "posts.csv=items:item_id=id,author_id=user_id,created_at=created_at,text=cooked,skip=visibility[*:skip,'':skip],skip=archetype[regular:keep,*:skip,'':skip],skip=approved[t:keep,*:skip,'':skip],skip=deleted_at[*:skip]",
        "? skip=visibility: rows stay out, all of them: which of '0', '3' everybody may see is not known",
        "? skip=archetype: rows stay out unless it is 'regular'",
        "? skip=approved: rows stay out unless it is 't'",
        '? skip=deleted_at: rows stay out unless it is empty',
        "post_likes.csv=interactions:user_id=user_id,item_id=post_id,timestamp=created_at,event_type='like',skip=deleted_at[*:skip]",
        '? skip=deleted_at: rows stay out unless it is empty',
        '- direct_messages.csv: its name says that it is private',
      ],
    ],
    [
      'days that may be months, months that cannot be days, and words of no time',
      {
        'likes.csv': ['user;post;date', 'a;1;02/03/2025', 'a;2;04/05/2025 10:00'],
        'views.csv': ['user;post;date', 'a;1;02/13/2025'],
        'shares.csv': ['user;post;date', 'a;1;yesterday'],
      },
      [
        "likes.csv=interactions:user_id=user,item_id=post,timestamp=date@dd/mm/yyyy,event_type='like'",
        '? timestamp: dates such as 02/03/2025 may have the month first: @mm/dd/yyyy',
        "views.csv=interactions:user_id=user,item_id=post,timestamp=date@mm/dd/yyyy,event_type='view'",
        "shares.csv=interactions:user_id=user,item_id=post,timestamp=date,event_type='share'",
        "? timestamp: times such as 'yesterday' cannot be read",
      ],
    ],
    [
      'files whose names say nothing, by their columns',
      {
        'export.csv': ['id;author;text;created', '1;[deleted];x;1764000000'],
        'pairs.csv': ['from;to', 'a;b'],
        'log.csv': ['level;line', 'info;x'],
      },
      [
        "export.csv=items:item_id=id,author_id=author['[deleted]':''],created_at=created,text=text",
        '? only its columns say that its lines are items',
        'pairs.csv=follows:user_id=from,target_user_id=to',
        '? only its columns say that its lines are follows',
        '- log.csv: neither its name nor its columns say what its lines are',
      ],
    ],
    [
      'users whom several columns hide',
      {
        'users.csv': [
          'id;name;suspended;deleted_at;status;is_private',
          '1;ann;f;;active;0',
          '2;bo;f;2026-01-01;banned;1',
        ],
      },
      [
        "users.csv=users:user_id=id,display_name=name,hidden=suspended[f:'',*:true]",
        "? hidden: users are hidden unless it is 'f' or empty",
        'users.csv=users:user_id=id,hidden=deleted_at[*:true]',
        '? hidden: users are hidden unless it is empty',
        "users.csv=users:user_id=id,hidden=status[active:'',*:true,'':true]",
        "? hidden: users are hidden unless it is 'active'",
        "users.csv=users:user_id=id,hidden=is_private[0:'',*:true]",
        "? hidden: users are hidden unless it is '0' or empty",
      ],
    ],
    [
      'words for no value, numbers with a comma, and nested times',
      {
        'posts.csv': [
          'id;user;date.$date.$numberLong;text;parent;deleted',
          '1;a;1764000000000;x;NULL;NULL',
          '2;b;NaT;NULL;1;NULL',
        ],
        'ratings.csv': ['user;post;rating;date', 'a;1;4,5;2026-01-01', 'b;1;2,0;2026-01-01'],
        'stories.csv': ['id;by;time;title;dead', '1;a;1764000000;x;true'],
      },
      [
        "posts.csv=items:item_id=id,author_id=user,created_at=date.$date.$numberLong@ms[NaT:''],text=text,parent_item_id=parent[NULL:''],skip=deleted[NULL:keep,*:skip]",
        "? skip=deleted: rows stay out unless it is 'NULL' or empty",
        "posts.csv=interactions:user_id=user['':skip],item_id=parent[NULL:skip,'':skip],event_id=id,timestamp=date.$date.$numberLong@ms[NaT:skip],event_type='comment',skip=deleted[NULL:keep,*:skip]",
        'ratings.csv=interactions:user_id=user,item_id=post,event_type=rating[>=4:like,*:skip],timestamp=date',
        '? event_type: values from 2 to 4.5: likes from 4 on, rows with lower ones stay out',
        'stories.csv=items:item_id=id,author_id=by,created_at=time,text=title,skip=dead[*:skip]',
        '? skip=dead: rows stay out unless it is empty',
      ],
    ],
    [
      'files without a header, and times that are none',
      {
        'likes.csv': ['1;10;1790000000', '2;10;1790000001'],
        'posts.csv': ['id;user;date;text', '1;a;2026-01-01;x', '2;b;soon;y'],
      },
      [
        'posts.csv=items:item_id=id,author_id=user,created_at=date,text=text',
        "? created_at: times such as 'soon' cannot be read",
        '- likes.csv: its first line looks like a row; a map names the columns of a file without a header by position (item_id=1)',
      ],
    ],
    [
      'a board that spells umlauts with two letters, and has words of its own for likes and follows',
      {
        'Mitglieder.csv': ['uid;Benutzername;gesperrt;geloescht', '1;ann;N;0', '2;bo;Y;1'],
        'Beitraege.csv': [
          'PostNr;poster;geschrieben;Text;freigegeben;geloescht;geloescht_am',
          '7;1;22.11.2026 19:21;x;Y;N;',
          '8;2;24.11.2026 18:26;y;Y;Y;25.11.2026 08:00',
        ],
        'Danke.csv': ['uid;PostNr;when', '1;8;1794843780000'],
        'Freunde.csv': ['follower;folgt;seit', '1;2;06.08.2026'],
        'Private_Nachrichten.csv': ['nr;von;an;Text', '0;1;2;x'],
        'Nachrichten.csv': ['nr;autor;datum;Text', '0;1;2026-01-01;x'],
      },
      [
        "Mitglieder.csv=users:user_id=uid,username=Benutzername,hidden=gesperrt[N:'',*:true]",
        "? hidden: users are hidden unless it is 'N' or empty",
        "Mitglieder.csv=users:user_id=uid,hidden=geloescht[0:'',*:true]",
        "? hidden: users are hidden unless it is '0' or empty",
        "Beitraege.csv=items:item_id=PostNr,author_id=poster,created_at=geschrieben@dd.mm.yyyy,text=Text,skip=freigegeben[Y:keep,*:skip,'':skip],skip=geloescht[N:keep,*:skip],skip=geloescht_am[*:skip]",
        "? skip=freigegeben: rows stay out unless it is 'Y'",
        "? skip=geloescht: rows stay out unless it is 'N' or empty",
        '? skip=geloescht_am: rows stay out unless it is empty',
        "Danke.csv=interactions:user_id=uid,item_id=PostNr,timestamp=when@ms,event_type='like'",
        'Freunde.csv=follows:user_id=follower,target_user_id=folgt,timestamp=seit@dd.mm.yyyy',
        '- Private_Nachrichten.csv: its name says that it is private',
        '- Nachrichten.csv: its name says that it is private',
      ],
    ],
    [
      'flags of other languages, and flags that are not understood',
      {
        'publicaciones.csv': [
          'id;autor;fecha;texto;eliminado;visible;publicado;fijado',
          '1;ana;2026-01-01;x;no;sí;si;no',
          '2;eva;2026-01-02;y;sí;no;no;sí',
        ],
        'articles.csv': [
          'id;auteur;date;texte;supprimé;caché;score',
          '1;ana;2026-01-01;x;non;non;4',
          '2;eva;2026-01-02;y;oui;oui;1',
        ],
        'members.csv': ['id;name;gone;level', '1;ann;0;3', '2;bo;;1'],
      },
      [
        "publicaciones.csv=items:item_id=id,author_id=autor,created_at=fecha,text=texto,skip=eliminado[no:keep,*:skip],skip=visible[sí:keep,*:skip,'':skip],skip=publicado[si:keep,*:skip,'':skip]",
        "? skip=eliminado: rows stay out unless it is 'no' or empty",
        "? skip=visible: rows stay out unless it is 'sí'",
        "? skip=publicado: rows stay out unless it is 'si'",
        '? column fijado is not read; do its rows differ in who may see them?',
        'articles.csv=items:item_id=id,author_id=auteur,created_at=date,text=texte,likes_count=score,skip=supprimé[non:keep,*:skip]',
        "? skip=supprimé: rows stay out unless it is 'non' or empty",
        '? column caché is not read; do its rows differ in who may see them?',
        'members.csv=users:user_id=id,display_name=name',
        '? column gone is not read; do its rows differ in who may see them?',
      ],
    ],
    [
      'times in columns whose names are not understood',
      {
        'posts.csv': ['id;user;body;kiam', '1;a;x;22.11.2026 19:21', '2;b;y;23.11.2026 19:21'],
        'likes.csv': ['user;post;kiam;n', 'a;2;1794843780000;1800000000000000000'],
        'movies.csv': ['id;title;shot;cut', '1;x;2020-01-01;2021-01-01'],
        'songs.csv': ['id;title;size;deleted_at', '1;x;123456789;2020-01-01'],
      },
      [
        'posts.csv=items:item_id=id,author_id=user,text=body,created_at=kiam@dd.mm.yyyy',
        '? created_at: only the values of kiam say that it is the time',
        "likes.csv=interactions:user_id=user,item_id=post,timestamp=kiam@ms,event_type='like'",
        '? timestamp: only the values of kiam say that it is the time',
        "movies.csv=items:item_id=id,text=title,author_id=''",
        '? created_at: which of shot, cut is the time is not known',
        '? author_id: no column names the author',
        "songs.csv=items:item_id=id,text=title,author_id='',skip=deleted_at[*:skip]",
        '? author_id: no column names the author',
        '? created_at: no column has times: posts are as old as the first act on them',
        '? skip=deleted_at: rows stay out unless it is empty',
      ],
    ],
  ])('proposes how to read %s', (_, files, lines) => {
    expect(proposed(files)).toEqual(lines);
  });

  test.each<[string, string, readonly string[], string]>([
    ['created_at', 'geschrieben', ['22.11.2026 19:21'], 'created_at=geschrieben@dd.mm.yyyy'],
    ['created_at', 'x', ['1794843780000'], 'created_at=x@ms'],
    ['hidden', 'weg', ['ja', 'nein'], 'hidden=weg[nein:false,*:true]'],
    ['hidden', 'freigegeben', ['Y', 'N'], "hidden=freigegeben[Y:false,*:true,'':true]"],
    ['text', 'x', ['<p>Hi</p>'], "text=x,text_format='html'"],
    ['skip', 'geloescht', ['N', 'Y'], 'skip=geloescht[N:keep,*:skip]'],
    ['skip', 'weg', ['0', '1'], 'skip=weg[0:keep,*:skip]'],
    ['skip', 'freigegeben', ['N', 'Y'], "skip=freigegeben[Y:keep,*:skip,'':skip]"],
    ['skip', 'x', ['public', 'few'], "skip=x[public:keep,*:skip,'':skip]"],
    ['skip', 'x', ['2026-01-01'], 'skip=x[*:skip]'],
  ])('reads a column that is chosen for %s, %s of %p, by its values', (field, column, values, line) => {
    const [sample] = samples({ 'a.csv': [column, ...values] });
    const part =
      field === 'skip' ? guessSkip('items', sample, column) : guessField('items', sample, field, column);
    expect(writeMap({ file: 'a.csv', kind: 'items', ...part })).toBe(`a.csv=items:${line}`);
  });

  test('every word is of a field that the kind has', () => {
    for (const kind of KINDS)
      expect(fieldsOf(kind)).toEqual(expect.arrayContaining(Object.keys(COLUMN_WORDS[kind])));
  });

  test('every word is written as the words of columns are compared', () => {
    const all = Object.values(COLUMN_WORDS).flatMap((fields) => Object.values(fields).flat());
    expect(all.map(folded)).toEqual(all);
  });

  test('a proposed line is read as it was meant', () => {
    const { maps } = guess(
      samples({ 'odd, posts.csv': ['post id;author "who";date@ms;text[1]', '1;a;1764000000;x'] }),
    );
    for (const { map } of maps) expect(parseMap(writeMap(map))).toEqual(map);
  });
});
