-- A few rows of a Mastodon database. Only what says "public" may be exported.
create table accounts (
  id bigint primary key, username text not null, domain text, display_name text not null, created_at timestamp not null,
  suspended_at timestamp, silenced_at timestamp, note text not null default ''
);
create table statuses (
  id bigint primary key, account_id bigint not null, text text not null, created_at timestamp not null,
  updated_at timestamp not null default now(), in_reply_to_id bigint, reblog_of_id bigint, language text,
  sensitive boolean not null default false, visibility integer not null default 0, deleted_at timestamp
);
create table tags (id bigint primary key, name text not null);
create table statuses_tags (status_id bigint not null, tag_id bigint not null);
create table preview_cards (id bigint primary key, title text not null);
create table preview_cards_statuses (preview_card_id bigint not null, status_id bigint not null);
create table media_attachments (id serial primary key, status_id bigint, description text);
create table favourites (id serial primary key, account_id bigint, status_id bigint, created_at timestamp not null);
create table follows (id serial primary key, account_id bigint, target_account_id bigint, created_at timestamp not null);
create table blocks (id serial primary key, account_id bigint, target_account_id bigint, created_at timestamp not null);

insert into accounts (id, username, domain, display_name, created_at, suspended_at, silenced_at) values
  (109301, 'ann', null, 'Ann', '2024-01-03 09:12:44.120391', null, null),
  (109302, 'bo', null, 'Bo', '2024-01-05 18:40:02', null, null),
  (109303, 'cy', 'far.example', 'Cy', '2024-02-11 07:00:00', null, null),
  (109304, 'spammer', null, 'Spam', '2024-02-12 07:00:00', '2024-03-01 00:00:00', null),
  (109305, 'limited', null, 'Limited', '2024-02-13 07:00:00', null, '2024-03-01 00:00:00');
insert into statuses (id, account_id, text, created_at, in_reply_to_id, reblog_of_id, language, visibility, deleted_at) values
  (112753400000000001, 109301, 'public: the gravel road is open again', '2024-03-02 08:15:00.25', null, null, 'en', 0, null),
  (112753400000000002, 109303, '<p>public: which tyres in winter?</p>', '2024-03-02 10:01:30', null, null, 'en', 0, null),
  (112753400000000003, 109302, 'public: studded ones, always', '2024-03-02 10:20:00', 112753400000000002, null, 'en', 0, null),
  (112753400000000004, 109301, 'public: Nachtfahrt am Freitag, wer kommt mit?', '2024-03-03 17:30:00', null, null, 'de', 0, null),
  (112753400000000005, 109303, 'public: an answer to a status for followers', '2024-03-03 19:30:00', 112753400000000012, null, 'en', 0, null),
  (112753400000000011, 109301, 'secret: unlisted', '2024-03-03 18:00:00', null, null, 'en', 1, null),
  (112753400000000012, 109301, 'secret: followers only', '2024-03-03 18:00:00', null, null, 'en', 2, null),
  (112753400000000013, 109301, 'secret: direct', '2024-03-03 18:00:00', null, null, 'en', 3, null),
  (112753400000000014, 109301, 'secret: to a circle', '2024-03-03 18:00:00', null, null, 'en', 4, null),
  (112753400000000015, 109301, 'secret: deleted', '2024-03-03 18:00:00', null, null, 'en', 0, '2024-03-04 00:00:00'),
  (112753400000000016, 109304, 'secret: of a suspended account', '2024-03-03 18:00:00', null, null, 'en', 0, null),
  (112753400000000017, 109305, 'secret: of a limited account', '2024-03-03 18:00:00', null, null, 'en', 0, null),
  (112753400000000021, 109302, '', '2024-03-04 08:00:00', null, 112753400000000001, null, 0, null),
  (112753400000000022, 109302, '', '2024-03-04 08:00:00', null, 112753400000000004, null, 2, null),
  (112753400000000023, 109302, '', '2024-03-04 08:00:00', null, 112753400000000002, null, 0, '2024-03-05 00:00:00'),
  (112753400000000024, 109301, '', '2024-03-04 08:00:00', null, 112753400000000012, null, 0, null),
  (112753400000000025, 109302, '', '2024-03-04 08:00:00', null, 112753400000000015, null, 0, null);
insert into tags (id, name) values (1, 'gravel'), (2, 'cycling'), (3, 'secret');
insert into statuses_tags (status_id, tag_id) values (112753400000000001, 1), (112753400000000001, 2), (112753400000000011, 3);
insert into preview_cards (id, title) values (1, 'Winter tyres, a test'), (2, 'secret');
insert into preview_cards_statuses (preview_card_id, status_id) values (1, 112753400000000002), (2, 112753400000000012);
insert into media_attachments (status_id, description) values
  (112753400000000001, 'A road, "grey"'), (112753400000000001, ''), (112753400000000001, null), (112753400000000013, 'secret');
insert into favourites (account_id, status_id, created_at) values
  (109302, 112753400000000001, '2024-03-02 09:00:00'), (109301, 112753400000000002, '2024-03-02 10:10:00'),
  (109303, 112753400000000004, '2024-03-03 18:00:00'), (109302, 112753400000000004, '2024-03-03 18:05:00'),
  (109302, 112753400000000011, '2024-03-03 18:05:00'), (109302, 112753400000000012, '2024-03-03 18:05:00'),
  (109302, 112753400000000013, '2024-03-03 18:05:00'), (109302, 112753400000000014, '2024-03-03 18:05:00'),
  (109302, 112753400000000015, '2024-03-03 18:05:00'), (109301, 112753400000000021, '2024-03-04 18:05:00');
insert into follows (account_id, target_account_id, created_at) values
  (109302, 109301, '2024-02-20 10:00:00'), (109301, 109303, '2024-02-21 10:00:00');
insert into blocks (account_id, target_account_id, created_at) values (109303, 109302, '2024-02-22 10:00:00');
