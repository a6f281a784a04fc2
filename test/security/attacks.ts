/**
 * Every attack that a test makes, in the order of the table of docs/reliability.md. `how` says what is done and `expected`
 * what counts as repelled, both for a reader who knows the product but not the test.
 */
export const attacks = {
  temporalFromWebPages: {
    title: 'Requests from web pages to the Temporal server of `npm start`',
    how: 'cross-site POSTs that need no preflight, a forged CSRF token, and names of others that lead to this machine (DNS rebinding), at every port of the server',
    expected: 'refused, and the namespace is as it was',
  },
  disguisedAddresses: {
    title: 'A webhook aimed at a private address',
    how: 'loopback, private, link-local and metadata addresses, in decimal, octal, hexadecimal, short, IPv6 and mapped forms',
    expected: 'refused with 422, and nothing is stored',
  },
  disguisedCallbacks: {
    title: 'A channel that sends to a private address',
    how: 'the same addresses as the callback url of a channel, at its creation and by a change',
    expected: 'refused with 422, and nothing is stored',
  },
  guessesOfOneAddress: {
    title: 'Guessing passwords from one address',
    how: '105 tries at the same time, of as many users',
    expected: 'a hundred are looked at in a quarter of an hour; an IPv6 client counts as its /64',
  },
  guessesOfManyAddresses: {
    title: 'Guessing one user’s password from many addresses',
    how: 'a wrong password from each of 60 addresses at the same time',
    expected: 'ten are looked at in a quarter of an hour',
  },
  otherLettersInEmail: {
    title: 'An e-mail address in look-alike letters that case folding maps to others',
    how: 'dotted and dotless i, the Kelvin sign and their like, with the right password, which would open a budget for each spelling',
    expected: 'nobody of that name; letter case of ASCII makes no difference',
  },
  lockedOutOwner: {
    title: 'Locking a user out by guessing',
    how: 'forty wrong passwords from other addresses, then the user signs in where it did before, with a slip in between',
    expected: 'the user gets in',
  },
  lockedOutOwnerOfNewPassword: {
    title: 'Locking a user out by guessing, after it changed its password',
    how: 'forty wrong passwords from other addresses, then the user signs in from where it changed the password',
    expected: 'the user gets in',
  },
  signInFlood: {
    title: 'A flood of sign-ins',
    how: 'from 120 addresses at the same time, each a password to be looked at',
    expected: 'no file is read later than 0.5 s for it, and a user gets in where it signed in before',
  },
  signInCrowd: {
    title: 'One user who signs in without end',
    how: 'eighty right passwords at the same time, from eight addresses where the user is known: they take no tries',
    expected: 'another user gets in where it signed in before',
  },
  stolenSession: {
    title: 'A stolen session, after its user has changed the password',
    how: 'copies of three cookies, of them the one that the change was made with',
    expected: 'none opens anything',
  },
  lateSignIn: {
    title: 'A sign-in with the old password at the moment of its change',
    how: 'proved before the change, written after it',
    expected: 'refused, and no session is there',
  },
  plantedCookie: {
    title: 'A cookie planted by another host of the domain',
    how: 'a session under names that browsers take from anybody, to an installation under https',
    expected: 'not read: 401',
  },
  guessedTokens: {
    title: 'Guessing the token of a link in a mail',
    how: 'a hundred: made-up tokens, parts and other spellings of a real one, and real ones of the other kind of link, from one network; then the real ones',
    expected: 'refused with 422, each like the others, and after a hundred with 429; the real ones are good elsewhere',
  },
  spentTokens: {
    title: 'A link in a mail that was used, is too old, or was withdrawn',
    how: 'tokens of passwords and invitations, each opened again or too late',
    expected: 'refused with 422',
  },
  toldUsers: {
    title: 'Finding out who is a user',
    how: "a forgotten password of users and of nobody, and invitations of another account's user and of nobody",
    expected: 'the same answer in each case, and to a forgotten password not before a quarter of a second has passed',
  },
  seizedAccounts: {
    title: 'Privilege escalation: a user who becomes an owner, or does what only owners may',
    how: 'an agent, an editor, an owner of before and one who is demoted at that moment, and the owner of another account: roles, removals, invitations, API keys, the webhook secret',
    expected: 'refused with 403, for another account with 404, and the owners are as they were',
  },
  removedUsers: {
    title: 'A removed user who goes on',
    how: 'three sessions, and a sign-in whose password was checked before',
    expected: 'refused with 401 at once',
  },
  forgedMails: {
    title: 'Header and link injection into mails',
    how: 'line ends, separators and encoded words in names of accounts and in e-mail addresses; X-Forwarded-Host and Forwarded with a request for a mail',
    expected: 'one recipient, one sender, no header more; the link leads to BASE_URL',
  },
  tokensInUrls: {
    title: 'Reading the tokens in the urls of webhooks as a user who may not change them',
    how: 'an agent reads webhooks of both variants, with a url that waits and a failed check; in query and path',
    expected: 'masked, and no log line has a url',
  },
  contactReferences: {
    title: 'Malformed and hostile references to a contact in a path',
    how: 'malformed escapes, NUL, half surrogates, SQL, dot segments, line ends, 10,000 characters and unknown ways after `external:`, `email:` and `phone:`, to read and to change; a good one, and one that fails in the service',
    expected: 'answered 404 or 422, and what was named stands in no log line, no span and no refusal',
  },
  forgedForwardedFor: {
    title: 'A client that forges its address',
    how: 'an X-Forwarded-For of its own with each guess of a password, without a proxy and through one that adds to it',
    expected: 'no guess beyond the hundred that one address has in a quarter of an hour',
  },
  misreadUrls: {
    title: 'A webhook url that reads as another one',
    how: 'backslashes, missing slashes, an @ before the host, numeric and short addresses, look-alike digits, characters that are invisible or turn the direction of text',
    expected: 'refused with 422 by both APIs, also in a change; all others are kept exactly as typed',
  },
  silentNames: {
    title: 'One account that stops the others by slow DNS',
    how: '50 webhooks and 300 registrations at once, each with a name whose server never answers',
    expected:
      'registrations beyond its share of look-ups get 503; events, registrations and password checks of the others take less than 4 s, and no attempt of theirs fails',
  },
  expensiveReads: {
    title: 'Lists and counts that take all connections',
    how: 'twenty replay previews at a time, again and again, each of which reads through a log of 60,000 and finds nothing',
    expected: "they never have more than four connections, and another account's deliveries go out meanwhile",
  },
  validationFlood: {
    title: 'Bodies that are costly to refuse',
    how: 'up to 250 kB of unknown fields, wrong elements, long names and nesting, to sign-in and to every kind of write',
    expected: 'refused with 4xx in at most 64 kB, and never more than 100 ms of everybody else’s time',
  },
  definitionFlood: {
    title: 'Flows that are costly to check',
    how: 'up to 1 MB of placeholders, unknown fields, wrong values, circles, regular expressions and JSONPaths, as drafts, to publishing and to imports',
    expected: 'checked or refused in at most 1 MB, and never more than 250 ms of everybody else’s time',
  },
  malformedHead: {
    title: 'Malformed request headers',
    how: 'hosts with impossible ports, spaces, brackets, paths and names in them, none at all, absolute targets, strange expectations; by raw bytes, to lists and pages',
    expected: 'refused with 400, 404 or 417 in the error envelope, never a 500',
  },
  slowClient: {
    title: 'Clients that hold connections',
    how: 'nothing sent, head or body a byte at a time, an answer never read, a kept connection left idle, to a server with time-outs of half a second',
    expected: 'the connection is closed within two seconds, and other clients are answered meanwhile',
  },
  oversizedBodies: {
    title: 'Bodies larger than an operation takes, to each operation',
    how: 'one byte more, announced and of unknown length, and compressed ones, of which one is 64 MiB in 64 KiB of gzip',
    expected: 'refused with 413, or 415 for what is compressed; a body of the limit is looked at',
  },
  endlessBodies: {
    title: 'Bodies without end',
    how: 'to operations of each limit behind each door, to some that take no body, without a credential, and to a path that is nowhere',
    expected: 'answered, and cut off within moments',
  },
  unreadAnswers: {
    title: 'Large answers that nobody reads',
    how: '60 clients ask for the program of /docs uncompressed, without a credential, and read the beginning of it alone',
    expected: 'they hold less memory together than ten copies of it',
  },
  heldRequests: {
    title: 'Requests that hold the connections of a proxy',
    how: '20 more than there may be at the same time, none of which ends',
    expected: 'the 20 are refused, and everybody else of the account and another account are answered',
  },
  healthFlood: {
    title: 'A flood of health checks',
    how: '300 at once, which need no credential',
    expected: 'PostgreSQL and Temporal are asked at most twice a second for it',
  },
  connectionFlood: {
    title: 'One address that takes all connections',
    how: 'more connections than a server of 20 gives to one address (10)',
    expected: 'the rest is closed unanswered, and another address is answered',
  },
  connectionFloodPastProxy: {
    title: 'One address that takes the connections of a trusted proxy',
    how: 'more connections than one address gets, beside a proxy in TRUST_PROXY that opens all the rest',
    expected: 'the address keeps to its share, and the proxy gets every place that is left',
  },
  hostileServices: {
    title: 'A service that harms the flow that calls it',
    how: 'a body without end, a drip, silence, a gzip bomb, false and nested encodings, resets before and within the body, headers without end, no HTTP',
    expected: 'the right port and reason within the time that the block gives, and less than 100 MiB of memory',
  },
  requestsInside: {
    title: 'A service that leads a flow’s request into the private network',
    how: 'redirects to loopback, metadata and other addresses in many spellings and to other schemes, and a name that leads inside when it is looked up again',
    expected: 'nothing inside is asked, and the request takes its error port',
  },
  redirectedTelegramFiles: {
    title: 'A download of a Telegram file that leads into the private network',
    how: 'every status of a redirect to loopback, metadata and other addresses in many spellings, to another scheme, and to a method of the bot',
    expected: 'nothing is followed, and the message says in words that there was a file',
  },
  pathsOfTelegramFiles: {
    title: 'A path of a Telegram file that leads elsewhere',
    how: 'other hosts, folders above, encoded and with backslashes, queries, line breaks, and values of other types in `file_path`',
    expected: 'no download is asked for',
  },
  besideTestEndpoint: {
    title: 'The exception for the test endpoint, used for another address',
    how: 'other ports and addresses of this machine, also of a server that listens on all of them, names that resolve there, decimal, octal, hexadecimal, short and mapped forms of the same address, other schemes, users, spaces and backslashes: as urls of webhooks, to be checked, and to be called',
    expected: 'refused, and no server beside it is asked',
  },
  redirectedToTestEndpoint: {
    title: 'A redirect to or from the test endpoint',
    how: 'a service that a flow may call redirects there, with every status, in eleven spellings of the address and by two hops; the endpoint itself answers every status of a redirect',
    expected: 'nothing arrives there, and nothing leads on from there',
  },
  seizedTestEndpoint: {
    title: 'Another server on the port of the test endpoint',
    how: 'after it has stopped, with the certificate of the endpoint, of a trusted authority and signed by itself; and in the moment before anybody knows that it has stopped',
    expected: 'no request arrives',
  },
  strayTestCertificate: {
    title: "The test endpoint's certificate at another address",
    how: 'a server on another port, which EGRESS_ALLOW lets through, shows it',
    expected: 'not trusted: the request fails in TLS',
  },
  strangersAtTestEndpoint: {
    title: 'Others at the test endpoint of an account',
    how: 'a thousand guessed paths at once, and another account that asks for the requests that came',
    expected: 'answered 404 or 503, nothing is kept, and nothing of it is told',
  },
  testEndpointFlood: {
    title: 'A flood of the test endpoint',
    how: '10,000 requests of 4 kB, bodies without end, bodies that never end, and 1,000 connections',
    expected:
      'each whole request is answered as typed, 100 are kept at most, and afterwards no more than 32 MiB are in use for it',
  },
  strayedCredentials: {
    title: 'A credential lured to another host',
    how: 'urls of another host, redirects of every status that keep or drop the body, and placeholders that contacts write',
    expected: 'no byte of it arrives',
  },
  templateInjection: {
    title: 'A value of a contact that breaks out of its place in a request',
    how: 'quotes, backslashes, line breaks, NUL, half surrogate pairs, braces, dots, slashes and parameters, put by a flow into JSON, path, query, header, form and message',
    expected:
      'it is read again exactly as it was, with nothing else changed, or the request is refused before it is sent',
  },
  templateEscape: {
    title: 'A template of a flow that reaches for more than values',
    how: 'names of prototypes and globals, expressions, calls, unknown filters',
    expected: 'nothing stands there, or the template is refused',
  },
  costlyTemplates: {
    title: 'Templates and regular expressions of a flow that take long',
    how: '200 kB of placeholders that are not closed, or that multiply a value of 1 MB; patterns that backtrack or whose repetitions multiply',
    expected: 'refused or done within a second',
  },
  slowTexts: {
    title: 'Texts that are slow to read',
    how: 'long texts of one short piece that is repeated, among them hosts without dots, braces, blanks and combining marks, to everything that reads texts of callers, contacts and third parties',
    expected: 'time in proportion to their length',
  },
} as const satisfies Record<string, { title: string; how: string; expected: string }>;

export type Attack = keyof typeof attacks;
