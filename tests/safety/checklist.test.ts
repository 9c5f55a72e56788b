import { existsSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";

/** The part of ASVS 5.0.0 level 2 that can be seen from outside: what holds, and below it the tests that show it. */
const checklist = `
3.3.1, 3.3.3: The session's cookie is Secure and __Host- over https; plain http (a demo) has another name.
  app/frame/cookies.test.ts
  tests/http/log-in.test.ts
  tests/process.test.ts
3.3.2: Every cookie is SameSite=Lax.
  app/frame/cookies.test.ts
  tests/safety/fuzz-pages.deep.test.ts
3.3.4: Every cookie but the scheme's is HttpOnly; the token is in Set-Cookie alone, never in storage.
  tests/safety/fuzz-pages.deep.test.ts
  tests/e2e/script.spec.ts
7.2.1: Sessions are rows on the server; altered, made-up and expired tokens open nothing.
  server/members/sessions/sessions.test.ts
  tests/safety/fuzz-pages.deep.test.ts
7.2.3: 256 random bits, no repeats, evenly spread.
  tests/safety/secrets.test.ts
  server/members/sessions/sessions.test.ts
7.2.4: A log-in starts a new session and ends the one that the browser had.
  tests/http/log-in.test.ts
  server/members/accounts/log-in.test.ts
7.3.1, 7.3.2: Thirty idle days end a session, a year ends it in any case.
  server/members/sessions/sessions.test.ts
7.4.1: Logging out ends it on the server.
  tests/http/log-in.test.ts
7.4.2: Closing, erasing or deactivating an account ends all its sessions.
  tests/http/account-closing.test.ts
  server/operations/personal-data/personal-data.test.ts
  tests/cli-members.test.ts
7.4.3: A new password ends every other session; with API_URL each lives by its own token, looked at every half minute.
  tests/http/account-password.test.ts
  tests/http/password-reset.test.ts
  server/provider/client/sessions.test.ts
  tests/http/provider-reset.test.ts
  tests/http/provider-front.test.ts
7.4.4: Every page of a member has Log Out.
  tests/safety/doors.test.ts
7.5.1: A new address asks for the password again.
  server/members/accounts/address-change.test.ts
7.5.2: Members see where they are logged in, and end each or all others.
  tests/http/my-account.test.ts
  server/members/sessions/sessions.test.ts
3.5.1: Every route refuses a form from another site, or of a null origin that the browser does not call ours. A form that names no page at all is refused from a member (decision 14).
  tests/http/origins.test.ts
3.5.2: Content types that need no preflight are refused as forms.
  tests/http/odd-requests.test.ts
3.5.3: GET and HEAD of every page change no row of the database.
  tests/safety/doors.test.ts
3.5.5: An open film of YouTube or Vimeo listens to its own frame, of its own origin, and learns only that it has answered. Stripe's script listens to its own frames.
  tests/safety/shipped.test.ts
3.4.2: No answer names another origin.
  tests/http/safety.test.ts
  tests/safety/fuzz-pages.deep.test.ts
3.4.1: Strict-Transport-Security over https: a year, with subdomains.
  tests/http/safety.test.ts
  tests/process.test.ts
3.4.3: A policy with a nonce of each answer, no unsafe, no objects, no base; journeys fail on any violation that the browser reports.
  tests/http/safety.test.ts
  tests/safety/fuzz-pages.deep.test.ts
  tests/e2e/script.spec.ts
3.4.4: nosniff on every answer: pages, data, files, redirects, refusals and what the framework answers by itself.
  tests/safety/fuzz-pages.deep.test.ts
  tests/safety/shipped.test.ts
  server/platform/http/http-server.test.ts
3.4.5: strict-origin-when-cross-origin: other sites learn the host, never a path.
  tests/http/safety.test.ts
3.4.6: No page can be framed, by header and by policy; a test tries it in a browser.
  tests/safety/framing.test.ts
  tests/http/safety.test.ts
4.1.1: Every answer with a body names its type, and text its charset.
  tests/safety/fuzz-pages.deep.test.ts
  server/platform/http/static-files.test.ts
14.3.2, 14.2.2: Every page and its data that may be a member's is private or no-store; two members behind one cache each see their own pages.
  tests/safety/doors.test.ts
  tests/safety/fuzz-pages.deep.test.ts
14.3.1, 14.3.3: After logging out Back shows nothing, and storage is empty.
  tests/e2e/log-out.spec.ts
  tests/http/avatars.test.ts
  tests/browsers/core.test.ts
13.4.1, 13.4.3: No history, settings, sources or listings are served.
  tests/safety/shipped.test.ts
13.4.2, 13.4.5, 15.2.3: No debug routes, documents, tests, source maps or versions, in answers or in the image.
  tests/safety/shipped.test.ts
  tests/safety/client-build.test.ts
  tests/image.deep.test.ts
13.4.4: TRACE and CONNECT are refused.
  server/platform/http/refused-requests.test.ts
6.2.1: Eight characters, by one rule at sign-up, reset and change.
  tests/safety/secrets.test.ts
  tests/http/password-reset.test.ts
6.2.8, 6.2.9: Up to 1,024 characters, each of which counts; nothing is cut, trimmed or lowered. Text that looks the same is the same (RFC 8265): NFC, one kind of space, no invisible characters.
  tests/safety/secrets.test.ts
  server/members/accounts/passwords.test.ts
6.2.5: A password may have any characters.
  server/members/accounts/passwords.test.ts
  tests/safety/secrets.test.ts
6.2.4, 6.2.12: 30,000 common passwords (of the zxcvbn project) and patterns are refused. They are not compared with lists of breaches, which would need a network.
  server/members/accounts/passwords.test.ts
6.2.11: The product's name and the member's own are refused, with or without digits.
  server/members/accounts/passwords.test.ts
6.2.3: A change of password asks for the old one.
  tests/http/account-password.test.ts
6.2.6, 6.2.7: A password is masked, a button shows it, and paste and password managers work.
  tests/safety/secrets.test.ts
  tests/e2e/script.spec.ts
6.3.1: Attempts are counted by account, by address and by both; forwarded headers count from trusted proxies alone.
  server/members/accounts/log-in.test.ts
  server/platform/http/proxy.test.ts
6.1.1: Under an attack the owner still gets in from their own address.
  server/members/accounts/log-in.test.ts
6.3.8: Known and unknown addresses get the same answers for the same work. Time itself is not measured by a test: machines differ.
  server/members/accounts/password-reset.test.ts
  server/members/accounts/log-in.test.ts
  tests/http/password-reset.test.ts
6.3.2: No account exists before a person makes it, except in a demo.
  tests/process.test.ts
6.4.1, 6.5.1: Codes and links are good once.
  server/members/challenges/challenges.test.ts
6.5.2: The database holds no code and no link in readable form.
  server/members/challenges/challenges.test.ts
  server/members/accounts/password-reset.test.ts
6.5.3, 6.5.4: A code has six random digits, evenly spread.
  server/members/challenges/challenges.test.ts
6.5.5: A code works for ten minutes.
  server/members/challenges/challenges.test.ts
  tests/http/password-reset.test.ts
6.6.2: A code counts for one address and one purpose; a newer code makes it void.
  server/members/challenges/challenges.test.ts
  server/members/accounts/password-reset.test.ts
6.6.3: Five tries; over the API five more end a code that was right.
  server/members/challenges/challenges.test.ts
  server/members/accounts/password-reset.test.ts
  tests/http/api-emails.test.ts
6.4.3, 14.2.1: No one-time code or password is ever in an address; an email's link carries its own token, which the log leaves out.
  tests/http/password-reset.test.ts
  tests/safety/canaries.test.ts
11.4.2: Passwords are stored as Argon2id hashes; one from elsewhere until its member logs in.
  server/members/accounts/accounts.test.ts
11.5.1: Link tokens have 128 random bits and more.
  server/members/challenges/challenges.test.ts
8.2.1, 8.3.1: A list says for each route who may see it, as a page and as data; content stays on the server under the fuzz too.
  tests/safety/doors.test.ts
  tests/http/access.test.ts
  tests/safety/fuzz-pages.deep.test.ts
  tests/http/api-door.test.ts
8.2.2: No request reads or changes another member's data.
  tests/safety/fuzz-pages.deep.test.ts
  tests/safety/fuzz-api.deep.test.ts
  tests/http/my-account.test.ts
  tests/http/api-door.test.ts
8.2.3, 15.3.1: The data of a page has the fields that are listed, the API's answers those of their schemas.
  tests/safety/doors.test.ts
  tests/http/api-people.test.ts
15.3.3: Fields that a form does not have change nothing.
  tests/safety/doors.test.ts
  tests/http/account-details.test.ts
  tests/http/api-orders.test.ts
8.4.1: A company's contact logs in to that company's page alone, which has no member on it; a code shows its own company alone.
  tests/http/company-contract.test.ts
  tests/http/company-page.test.ts
  server/money/companies/codes.test.ts
2.3.1: A step of sign-up or reset that is not earned leads back.
  tests/http/sign-up-steps.test.ts
  tests/http/password-reset.test.ts
2.3.2, 2.2.2: Plans, sums and codes are decided on the server.
  server/money/membership/plans.test.ts
  tests/http/sign-up-corporate.test.ts
  tests/http/api-orders.test.ts
2.3.3: A payment is done whole or not at all, with the process killed at every step.
  tests/saga/crash.test.ts
  tests/saga/provider.deep.test.ts
2.3.4: Of fifty people who want the last seat, one gets it; nothing is paid twice.
  server/money/companies/seats.test.ts
  tests/saga/races.test.ts
2.4.1: Sign-ups, codes, cards and emails are counted by person and by network, pictures by person.
  server/money/sign-up/details.test.ts
  server/money/sign-up/verification.test.ts
  tests/http/sign-up-payment.test.ts
  server/members/avatars/avatars.test.ts
1.2.1, 1.3.1: HTML of a CMS is cleaned on the server by a list of what may stay; the policy would stop what got through.
  server/content/items/sanitise-hostile.test.ts
1.2.2: Links, films and recordings lead to http(s), our own files and known players.
  server/content/items/video-address.test.ts
  server/content/items/sanitise.test.ts
1.2.4: Values are bound, never put into SQL. sqlmap is not run; the fuzz sends its kind of text everywhere.
  tests/safety/fuzz-pages.deep.test.ts
  tests/safety/fuzz-api.deep.test.ts
1.2.9, 15.2.2: A search term is text, cut at its length, and looked up in an index.
  server/content/search/search.test.ts
  tests/http/search.test.ts
1.3.6, 13.2.4, 15.3.2: The server asks the hosts of its settings alone and follows no redirect.
  server/adapters/wordpress/faults.test.ts
  server/adapters/wordpress/media.test.ts
  server/adapters/gocardless/client.test.ts
  server/adapters/stripe/client.test.ts
  server/provider/client/client-faults.test.ts
1.3.11: A line break makes no header of an email.
  server/emails.test.ts
  tests/contracts/mailer.test.ts
15.3.5, 15.3.6, 15.3.7: Wrong types, __proto__ and repeated fields are names and values like any other.
  tests/safety/fuzz-pages.deep.test.ts
  tests/http/api-door.test.ts
  app/forms/parse-form.test.ts
3.7.2: No redirect leaves the site but to a payment provider's page or an address that we have sealed.
  app/frame/paths.test.ts
  tests/safety/fuzz-pages.deep.test.ts
  tests/http/api-orders.test.ts
3.2.1, 5.4.1, 5.4.2: A picture goes out as WebP under a name of ours, inert.
  tests/http/avatars.test.ts
  tests/safety/fuzz-pages.deep.test.ts
5.2.1, 5.2.6: Bytes and pixels have their limits.
  server/members/avatars/pictures.test.ts
  server/members/avatars/drawings.test.ts
  server/platform/http/request-body.test.ts
5.2.2, 1.3.4: A picture's format is read from its bytes; drawings load and run nothing and become WebP.
  server/platform/pictures/redraw.test.ts
  server/members/avatars/drawings.test.ts
5.3.2: No name in a request becomes a path.
  tests/http/access.test.ts
  server/adapters/email/files.test.ts
  tests/safety/fuzz-pages.deep.test.ts
5.4.3: Every picture is re-encoded, without its hidden data. There is no scanner.
  server/members/avatars/pictures.test.ts
4.1.3, 15.3.4: Forwarded headers count from trusted peers alone, from the right.
  server/platform/http/proxy.test.ts
4.2.1: Requests that could hide a second one are refused.
  server/platform/http/refused-requests.test.ts
12.1.1, 12.3.2: Certificates of Stripe, GoCardless, the CMS, a provider and the mail server are checked. TLS towards browsers ends at the operator's proxy, who chooses its versions.
  tests/safety/false-upstream.test.ts
  server/adapters/email/smtp.test.ts
13.3.1: Neither the sources nor the build contain a key.
  tests/safety/shipped.test.ts
  tests/safety/client-build.test.ts
15.1.2, 15.2.1: npm run sbom lists every part; the lock file binds each to its bytes; none has a fault that the list of retire.js knows.
  tests/safety/parts-list.test.ts
16.2.5, 16.3.1, 16.3.2, 16.3.3, 16.3.4: Log-ins, refused ones, changed passwords, forms of other sites, wrong keys and signatures, and faults are lines in the log, with numbers in place of people. What is refused by a page is the request's line with its status.
  tests/safety/canaries.test.ts
  server/members/accounts/log-in.test.ts
  tests/process.test.ts
16.4.1: Every event is one line of JSON, whatever the input.
  tests/safety/canaries.test.ts
16.5.1: A fault is shown as a sentence; no input causes one.
  tests/safety/fuzz-pages.deep.test.ts
  tests/safety/fuzz-webhooks.test.ts
  tests/http/safety.test.ts
16.5.2, 16.5.3: While a part is away, or the disk is full, what needs it is refused and nothing else fails; no access is opened.
  tests/faults/cms.deep.test.ts
  tests/faults/mail.deep.test.ts
  tests/faults/stripe.deep.test.ts
  tests/faults/gocardless.deep.test.ts
  tests/faults/database.test.ts
  tests/safety/disk-full.test.ts
`;

const rows = checklist
  .trim()
  .split(/\n(?! )/)
  .map((row) => {
    const [head = "", ...files] = row.split(/\n +/);
    const [ids = "", holds = ""] = head.split(/: (.*)/);
    return { ids, holds, files };
  });

const wanted = `
  1.2.1 1.2.2 1.2.4 1.2.9 1.3.1 1.3.4 1.3.6 1.3.11
  2.2.2 2.3.1 2.3.2 2.3.3 2.3.4 2.4.1
  3.2.1 3.3.1 3.3.2 3.3.3 3.3.4 3.4.1 3.4.2 3.4.3 3.4.4 3.4.5 3.4.6 3.5.1 3.5.2 3.5.3 3.5.5 3.7.2
  4.1.1 4.1.3 4.2.1
  5.2.1 5.2.2 5.2.6 5.3.2 5.4.1 5.4.2 5.4.3
  6.1.1 6.2.1 6.2.3 6.2.4 6.2.5 6.2.6 6.2.7 6.2.8 6.2.9 6.2.11 6.2.12 6.3.1 6.3.2 6.3.8 6.4.1 6.4.3 6.5.1 6.5.2 6.5.3 6.5.4 6.5.5 6.6.2 6.6.3
  7.2.1 7.2.3 7.2.4 7.3.1 7.3.2 7.4.1 7.4.2 7.4.3 7.4.4 7.5.1 7.5.2
  8.2.1 8.2.2 8.2.3 8.3.1 8.4.1
  11.4.2 11.5.1 12.1.1 12.3.2
  13.2.4 13.3.1 13.4.1 13.4.2 13.4.3 13.4.4 13.4.5
  14.2.1 14.2.2 14.3.1 14.3.2 14.3.3
  15.1.2 15.2.1 15.2.2 15.2.3 15.3.1 15.3.2 15.3.3 15.3.4 15.3.5 15.3.6 15.3.7
  16.2.5 16.3.1 16.3.2 16.3.3 16.3.4 16.4.1 16.5.1 16.5.2 16.5.3
`
  .trim()
  .split(/\s+/);

test("the table has every requirement, once", () => {
  const listed = rows.flatMap(({ ids }) => ids.split(", "));
  expect(listed.toSorted()).toEqual(wanted.toSorted());
});

test("each row says what holds, and every test that it names is there and tests something", () => {
  for (const { ids, holds, files } of rows) {
    expect(holds, ids).toMatch(/^.{5,}\.$/);
    expect(files.length, ids).toBeGreaterThan(0);
    for (const file of files) {
      expect(file, ids).toMatch(/\.(?:test|spec|journey)\.tsx?$/);
      expect(existsSync(file) && readFileSync(file, "utf8"), `${ids}: ${file}`).toMatch(
        /\btest[.(]|describe[.(]|check\w+\(/,
      );
    }
  }
});
