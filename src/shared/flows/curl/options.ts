/** The long names of the short options. */
export const longNames: ReadonlyMap<string, string> = new Map(
  `0 http1.0, 1 tlsv1, 2 sslv2, 3 sslv3, 4 ipv4, 6 ipv6, # progress-bar, : next, a append, A user-agent, b cookie, B use-ascii,
  c cookie-jar, C continue-at, d data, D dump-header, e referer, E cert, f fail, F form, g globoff, G get, h help, H header,
  i include, I head, j junk-session-cookies, J remote-header-name, k insecure, K config, l list-only, L location, m max-time,
  M manual, n netrc, N no-buffer, o output, O remote-name, p proxytunnel, P ftp-port, q disable, Q quote, r range,
  R remote-time, s silent, S show-error, t telnet-option, T upload-file, u user, U proxy-user, v verbose, V version,
  w write-out, x proxy, X request, y speed-time, Y speed-limit, z time-cond, Z parallel`
    .split(/,\s+/)
    .map((pair): [string, string] => [pair.slice(0, 1), pair.slice(2)]),
);

const namesOf = (text: string): ReadonlySet<string> => new Set(text.trim().split(/\s+/));

/** Options with a value: those that make the request, and those that change nothing of it. */
const withValue = namesOf(`
  connect-timeout cookie data data-ascii data-binary data-raw data-urlencode form form-string header json max-time oauth2-bearer
  referer request retry url url-query user user-agent

  abstract-unix-socket alt-svc capath cert-type ciphers connect-to continue-at cookie-jar create-file-mode crlfile curves
  delegation dns-interface dns-ipv4-addr dns-ipv6-addr dns-servers doh-url dump-header egd-file engine etag-compare etag-save
  expect100-timeout happy-eyeballs-timeout-ms hsts interface ipfs-gateway keepalive-cnt keepalive-time key-type libcurl
  limit-rate local-port login-options max-filesize netrc-file noproxy output output-dir parallel-max pass pinnedpubkey proto
  proto-default proto-redir proxy-header random-file rate resolve retry-delay retry-max-time service-name speed-limit
  speed-time stderr telnet-option time-cond tls-max tls13-ciphers trace trace-ascii trace-config unix-socket vlan-priority
  write-out ip-tos
  
  aws-sigv4 cacert cert config ftp-port key max-redirs preproxy proxy proxy-user proxy1.0 quote range request-target socks4
  socks4a socks5 socks5-hostname tlspassword tlsuser tlsauthtype upload-file variable`);

/** Options without one. */
const withoutValue = namesOf(`
  get globoff head location path-as-is

  append basic ca-native cert-status compressed create-dirs crlf disable disallow-username-in-url doh-cert-status fail
  fail-early fail-with-body false-start form-escape help http0.9 http1.0 http1.1 http2 http2-prior-knowledge http3 http3-only
  ignore-content-length include ipv4 ipv6 junk-session-cookies list-only manual no-alpn no-buffer no-clobber no-keepalive
  no-npn no-progress-meter no-sessionid parallel parallel-immediate progress-bar raw remote-header-name remote-name
  remote-name-all remote-time remove-on-error retry-all-errors retry-connrefused show-error show-headers silent skip-existing
  ssl ssl-no-revoke ssl-reqd ssl-revoke-best-effort sslv2 sslv3 styled-output suppress-connect-headers tcp-fastopen
  tcp-nodelay tlsv1 tlsv1.0 tlsv1.1 tlsv1.2 tlsv1.3 tr-encoding trace-ids trace-time use-ascii verbose version xattr

  anyauth digest insecure location-trusted negotiate netrc netrc-optional next ntlm ntlm-wb post301 post302 post303 proxytunnel`);

/** Whether an option takes a value; undefined when there is none of that name. */
export const takesValue = (name: string): boolean | undefined => {
  if (withValue.has(name)) return true;
  const isNegated = name.startsWith('no-') && withoutValue.has(name.slice(3));
  return withoutValue.has(name) || isNegated ? false : undefined;
};

const noProxy = 'is not taken over: requests go out as the operator of this service set it up';
const noFile = 'is not taken over: files of your computer are not here';

/** What is said of options that the request is made without. */
export const sayings: ReadonlyMap<string, string> = new Map([
  ['insecure', 'is refused: certificates are always verified'],
  ['location-trusted', 'follows redirects, but the credential stays at its origin'],
  ['cacert', 'is not taken over: the certificate of the service must be one that is publicly trusted'],
  ['cert', 'is not taken over: a block has no client certificate'],
  ['key', 'is not taken over: a block has no client certificate'],
  ['max-redirs', 'is not taken over: up to 5 redirects are followed'],
  ['post301', 'is not taken over'],
  ['post302', 'is not taken over'],
  ['post303', 'is not taken over'],
  ['range', 'is not taken over: the whole answer is read'],
  ['resolve', 'is not taken over: the host is looked up when the request is sent'],
  ['connect-to', 'is not taken over: the host is looked up when the request is sent'],
  ['request-target', 'is not taken over: the path is that of the url'],
  ['netrc', noFile],
  ['netrc-optional', noFile],
  ['netrc-file', noFile],
  ['variable', 'is not taken over'],
  ...[
    'preproxy',
    'proxy',
    'proxy-user',
    'proxy1.0',
    'proxy-header',
    'proxytunnel',
    'socks4',
    'socks4a',
    'socks5',
    'socks5-hostname',
  ].map((name): [string, string] => [name, noProxy]),
]);

/** Options without which the request would be another one, and why they are refused. */
export const refusals: ReadonlyMap<string, string> = new Map([
  ['config', 'reads a file, which is not here: write its options out'],
  ['upload-file', 'sends a file, which is not here: write its content as the value of --data-raw'],
  ['digest', 'is not possible: a block signs in by Basic, by a token or by a header'],
  ['anyauth', 'is not possible: say how to sign in, by --basic'],
  ['negotiate', 'is not possible: a block signs in by Basic, by a token or by a header'],
  ['ntlm', 'is not possible: a block signs in by Basic, by a token or by a header'],
  ['ntlm-wb', 'is not possible: a block signs in by Basic, by a token or by a header'],
  ['aws-sigv4', 'is not possible: a block does not sign requests'],
]);
