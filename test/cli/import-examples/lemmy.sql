-- A few rows of a Lemmy 0.19 database. What says "secret" is not public.
create table person (id integer primary key, name text not null, display_name text, avatar text, banned boolean not null default false,
  published timestamptz not null, deleted boolean not null default false);
create table community (id integer primary key, name text not null, removed boolean not null default false,
  deleted boolean not null default false, hidden boolean not null default false, visibility text not null default 'Public');
create table post (id integer primary key, name text not null, body text, creator_id integer not null, community_id integer not null,
  removed boolean not null default false, deleted boolean not null default false, published timestamptz not null,
  embed_title text, alt_text text);
create table comment (id integer primary key, creator_id integer not null, post_id integer not null, content text not null, path text not null,
  removed boolean not null default false, deleted boolean not null default false, published timestamptz not null);
create table post_like (post_id integer, person_id integer, score smallint not null, published timestamptz not null);
create table comment_like (comment_id integer, person_id integer, score smallint not null, published timestamptz not null);
create table person_block (person_id integer, target_id integer, published timestamptz not null);

insert into person (id, name, display_name, banned, published, deleted) values
  (1, 'ann', 'Ann', false, '2024-01-01 10:00:00+00', false), (2, 'bo', null, false, '2024-01-01 10:00:00+00', false),
  (3, 'spammer', 'Spam', true, '2024-01-01 10:00:00+00', false), (4, 'gone', null, false, '2024-01-01 10:00:00+00', true);
insert into community (id, name, removed, deleted, hidden, visibility) values
  (1, 'bikes', false, false, false, 'Public'), (2, 'local', false, false, false, 'LocalOnly'), (3, 'removed', true, false, false, 'Public'),
  (4, 'deleted', false, true, false, 'Public'), (5, 'hidden', false, false, true, 'Public');
insert into post (id, name, body, creator_id, community_id, removed, deleted, published) values
  (11, 'Public: the ridge', 'It is open.', 1, 1, false, false, '2024-03-02 08:00:00+00'),
  (12, 'Public: a link', null, 2, 1, false, false, '2024-03-02 09:00:00+00'),
  (81, 'secret: of a local community', 'x', 1, 2, false, false, '2024-03-02 09:00:00+00'),
  (82, 'secret: of a removed community', 'x', 1, 3, false, false, '2024-03-02 09:00:00+00'),
  (83, 'secret: of a deleted community', 'x', 1, 4, false, false, '2024-03-02 09:00:00+00'),
  (84, 'secret: of a hidden community', 'x', 1, 5, false, false, '2024-03-02 09:00:00+00'),
  (85, 'secret: removed', 'x', 1, 1, true, false, '2024-03-02 09:00:00+00'),
  (86, 'secret: deleted', 'x', 1, 1, false, true, '2024-03-02 09:00:00+00');
update post set embed_title = 'A page | its site', alt_text = 'A ridge' where id = 12;
insert into comment (id, creator_id, post_id, content, path, removed, deleted, published) values
  (21, 2, 11, 'Public: thanks', '0.21', false, false, '2024-03-02 10:00:00+00'),
  (22, 1, 11, 'Public: you are welcome', '0.21.22', false, false, '2024-03-02 11:00:00+00'),
  (87, 2, 11, 'secret: a removed comment', '0.87', true, false, '2024-03-02 11:00:00+00'),
  (88, 2, 11, 'secret: a deleted comment', '0.88', false, true, '2024-03-02 11:00:00+00'),
  (89, 2, 81, 'secret: of a local community', '0.89', false, false, '2024-03-02 11:00:00+00'),
  (23, 1, 11, 'Public: an answer to a removed one', '0.87.23', false, false, '2024-03-02 12:00:00+00');
insert into post_like select id, 2, 1, '2024-03-03 10:00:00+00'::timestamptz from post union all select 12, 1, -1, '2024-03-03 10:00:00+00'::timestamptz;
insert into comment_like select id, 1, 1, '2024-03-03 10:00:00+00'::timestamptz from comment;
insert into person_block values (1, 3, '2024-03-03 10:00:00+00');
