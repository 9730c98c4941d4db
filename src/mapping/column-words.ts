/** The names that other software gives to columns and files, as far as they say what is meant. */
import type { Kind } from './kinds.ts';

const LETTERS: Readonly<Record<string, string>> = { ä: 'ae', ö: 'oe', ü: 'ue', ß: 'ss' };

/** The same text for all ways to write a word: in lower case, with `ae` for `ä`, and `e` for `é`. */
export function folded(text: string): string {
  const spelled = text.normalize('NFC').toLowerCase();
  const plain = spelled.replaceAll(/[äöüß]/g, (letter) => LETTERS[letter]);
  return plain.normalize('NFD').replaceAll(/[\u0300-\u036f]/g, '');
}

function words(list: string): readonly string[] {
  return list.split(', ');
}

const PEOPLE =
  'user, uid, account, member, person, people, profile, customer, viewer, actor, username, user name, login, nutzer, benutzer, mitglied, utilisateur, membre, usuario, utente';
const POSTS =
  'item, post, pid, status, article, topic, tid, thread, discussion, submission, story, note, cast, tweet, message, question, movie, video, track, song, book, game, product, beitrag, artikel, thema, publicacion';
const AUTHORS =
  'author, author name, poster, creator, owner, writer, sender, uploader, artist, by, posted by, created by, autor, verfasser, auteur, creador';
const TIMES =
  'created, created at, created utc, date, time, timestamp, ts, datetime, when, posted, posted at, published, published at, pub date, inserted, added, datum, zeit, zeitpunkt, erstellt, erstellt am, gepostet, geschrieben, geschrieben am, verfasst, verfasst am, veroeffentlicht, veroeffentlicht am, gesendet, gesendet am, wann, written, written at, sent, sent at, ecrit le, publie le, cree le, date publication, fecha, creado, escrito, publicado, date creation, data';

const SINCE = 'since, seit, depuis, desde';

/**
 * Columns of a field, the most likely first: `folded`, with blanks between words, without the noun of the file
 * (`post_text` of posts is `text`), and without `id` at the end.
 */
export const COLUMN_WORDS: Readonly<Record<Kind, Readonly<Record<string, readonly string[]>>>> = {
  users: {
    user_id: words(`, ${PEOPLE}`),
    username: words(
      'username, login, nick, nickname, handle, screen name, user name, name, benutzername, pseudo',
    ),
    display_name: words('display name, fullname, full name, real name, name, anzeigename'),
    pfp_url: words('avatar url, avatar, picture, photo, pfp, profile image url, image, bild'),
    created_at: words(
      `joined, joined at, joindate, join date, registered, registered at, regdate, signup date, member since, mitglied seit, registriert, registriert am, ${TIMES}`,
    ),
  },
  items: {
    item_id: words(`, ${POSTS}`),
    author_id: words(`${AUTHORS}, ${PEOPLE}`),
    created_at: words(TIMES),
    text: words(
      'text, body, content, cooked, html, message, selftext, comment, description, caption, raw, title, subject, headline, inhalt, nachricht, titel, betreff, texte, texto, contenido, titulo, name',
    ),
    channel: words(
      'channel, category, forum, board, community, subreddit, section, room, space, group, kategorie, categorie, cid',
    ),
    parent_item_id: words(
      'parent, in reply to, reply to, replies to, parent post, parent comment, to pid, in reply to status, antwort auf, antwort, respuesta a',
    ),
    language: words('language, lang, locale, sprache, langue, idioma'),
    ai_labels: words('labels, tags, genres, categories, topics'),
    tags: words('hashtags, hash tags, tag names'),
    link_titles: words('link titles, link title, card titles, card title'),
    alt_texts: words('alt texts, alt text, alts, alt, image descriptions, media descriptions'),
    likes_count: words(
      'likes count, like count, likes, favourites count, favorite count, upvotes, ups, score, points, hearts, gefaellt, thanks, thanks count, danke',
    ),
    comments_count: words(
      'comments count, comment count, comments, replies count, reply count, replies, num comments, antworten',
    ),
    shares_count: words('shares count, share count, shares, reblogs count, reposts, retweets, boosts'),
  },
  follows: {
    user_id: words(`follower, fan, from, from user, source, subscriber, ${PEOPLE}`),
    target_user_id: words(
      `target, target user, target account, followee, followed, followed user, following, follows, leader, idol, friend, folgt, gefolgt, freund, suivi, ami, seguido, amigo, to, to user, destination, zebra, ${PEOPLE}`,
    ),
    timestamp: words(`followed at, ${SINCE}, ${TIMES}`),
  },
  blocks: {
    user_id: words(`blocker, from, from user, source, ${PEOPLE}`),
    target_user_id: words(
      'target, target user, target account, blocked, blocked user, blockee, muted, ignored, foe, to, to user, zebra',
    ),
    timestamp: words(`blocked at, ${SINCE}, ${TIMES}`),
  },
  engagement: {
    item_id: words(`${POSTS}, `),
    timestamp: words(`updated, updated at, counted at, ${TIMES}`),
    likes_count: words('likes count, like count, likes, favourites count, upvotes'),
    comments_count: words('comments count, comment count, comments, replies count, replies'),
    shares_count: words('shares count, share count, shares, reblogs count, reposts'),
  },
  interactions: {
    user_id: words(`${PEOPLE}, liker, thanker, voter, rater, reader, visitor, from, by, author, owner`),
    item_id: words(`${POSTS}, object, target, content, parent, link`),
    event_type: words(
      'event type, feedback type, interaction type, action type, event, type, action, kind, verb, interaction, reaction, rating, stars, sterne, vote, score, value, bewertung, nota',
    ),
    timestamp: words(`liked at, rated at, voted at, viewed at, clicked at, event time, ${TIMES}`),
  },
  impressions: {
    user_id: words(PEOPLE),
    item_id: words(POSTS),
    timestamp: words(`shown at, seen at, ${TIMES}`),
    page: words('page, session, request, impression'),
    slot: words('slot, position, rank, place'),
  },
  labels: {
    labeler_id: words('labeler'),
    value: words('label'),
  },
};

/** Nouns in the names of files, by what their lines are. */
export const FILE_NOUNS: readonly (readonly [Kind, RegExp])[] = [
  ['follows', /^(follow\w*|friend\w*|freund\w*|folgt|amis?|amigos?|subscri\w*|abonn\w*|zebra|watch\w*)$/],
  ['blocks', /^(blocks?|blocked|mutes?|ignore[ds]?|ignores|foes?)$/],
  ['impressions', /^(impressions?|exposures?)$/],
  ['engagement', /^(engagement|counts?|counters?|stats)$/],
  [
    'interactions',
    /^(interactions?|likes?|loves?|hearts?|upvotes?|votes?|favou?rites?|favs?|feedbacks?|ratings?|reactions?|events?|clicks?|views?|visits?|reads?|plays?|bookmarks?|shares?|boosts?|reblogs?|reposts?|retweets?|bewertungen|thanks?|danke|merci|gracias|gefaellt|gusta)$/,
  ],
  [
    'items',
    /^(items?|posts?|statuses|status|articles?|topics?|threads?|discussions?|submissions?|stor(y|ies)|notes?|casts?|tweets?|questions?|answers?|comments?|replies|movies?|videos?|tracks?|songs?|books?|games?|products?|beitrag|beitraege|artikel|themen|publicaciones)$/,
  ],
  [
    'users',
    /^(users?|accounts?|members?|people|persons?|profiles?|customers?|authors?|nutzer|benutzer|mitglieder|utilisateurs|membres|usuarios|utenti)$/,
  ],
];

/** Nouns in the names of files that are nobody's business but their owners'. */
export const PRIVATE_FILE =
  /^(pms?|dms?|privmsgs?|private|messages?|msgs?|chats?|conversations?|drafts?|whispers?|sessions?|tokens?|passwords?|secrets?|invites?|emails?|mails?|notifications?|nachricht(en)?|privat\w*|pns?|entwuerfe|mensajes?|borradores|brouillons?|prives?)$/;

/** What an act is called. The first that fits counts. */
export const ACT_WORDS = [
  ['hide', /^(hides?|hidden|not interested)$/],
  ['report', /report|flag/],
  ['bookmark', /bookmark|save|wish ?list/],
  ['share', /share|boost|reblog|repost|retweet/],
  ['comment', /comment|repl(y|ie)|answer/],
  ['view', /view|click|visit|read|play|open|watch|seen/],
  [
    'like',
    /like|love|heart|fav|star|upvote|thank|danke|merci|gracias|gefaellt|gusta|kudos|thumb|purchase|buy/,
  ],
] as const;

function anyOf(...patterns: readonly string[]): RegExp {
  return new RegExp(`\\b(${patterns.join('|')})\\b`);
}

const FOREIGN_NO = [
  'gelo?e?scht|entfernt|gesperrt|gebannt|versteckt|verborgen|ausgeblendet|unsichtbar|deaktiviert|abgelehnt|privat|geheim|entwurf',
  'supprimee?|effacee?|masquee?|bloquee?|bannie?|desactivee?|privee?|brouillon',
  '(eliminad|borrad|ocult|privad|bloquead|suspendid|desactivad)[oa]|borrador',
  '(eliminat|cancellat|nascost|privat|bloccat)[oa]|bozza|(excluid|apagad|removid)[oa]|verwijderd',
].join('|');
const FOREIGN_YES =
  'freigegeben|freigeschaltet|genehmigt|sichtbar|oeffentlich|veroeffentlicht|aktiv|approuvee?|publiee?|actif|public[oa]|(publicad|aprobad|activ|aprovad|ativ|approvat|attiv)[oa]|pubblic[oa]';

/**
 * Columns that say who may see a row.
 *
 * `no`: a value means that the row is not public, as in `deleted_at`. `yes`: a value that means false does, as in
 * `approved`. `which`: words or numbers, as in `visibility`.
 */
export const PRIVACY_WORDS: Readonly<Record<'no' | 'yes' | 'which', RegExp>> = {
  no: anyOf(
    'dead|killed|protected|deleted?|deletion|removed?|trashed|private|whisper|drafts?|spam|hidden|invisible|unlisted|banned|suspended|silenced|disabled|secret|restricted|rejected|pending',
    FOREIGN_NO,
  ),
  yes: new RegExp(`^(is )?(approved|visible|public|published|active|enabled|live|listed|${FOREIGN_YES})$`),
  which: /\b(visibility|status|state|archetype|privacy|audience|access)\b/,
};
/** Words of `which` columns that mean that everybody may see a row. */
export const PUBLIC_WORDS =
  /^(public|publish|published|active|live|normal|approved|visible|open|regular|banner|everyone|world|ok|enabled|online)$/i;

/** As `PRIVACY_WORDS`, of users: hidden ones, those whose account is gone, and those who show their posts to few. */
export const OF_HIDDEN_USERS: typeof PRIVACY_WORDS = {
  no: anyOf(
    'deleted?|removed|banned|blocked|suspended|silenced|disabled|hidden|spam|private|protected',
    FOREIGN_NO,
  ),
  yes: new RegExp(`^(is )?(approved|active|enabled|public|${FOREIGN_YES})$`),
  which: /^(account )?(visibility|status|privacy)$/,
};
