/** The tests of these modules, on PostgreSQL. */
import "../../server/members/accounts/accounts.test.ts";
import "../../server/members/accounts/address-change.test.ts";
import "../../server/members/accounts/address-undo.test.ts";
import "../../server/members/accounts/closure.test.ts";
import "../../server/members/accounts/log-in.test.ts";
import "../../server/members/accounts/member-search.test.ts";
import "../../server/members/accounts/log-in-link.test.ts";
import "../../server/members/accounts/passkeys.test.ts";
import "../../server/members/accounts/password-reset.test.ts";
import "../../server/members/accounts/password-switch.test.ts";
import "../../server/members/accounts/profile.test.ts";
import "../../server/members/avatars/avatars.test.ts";
import "../../server/members/favourites/favourites.test.ts";
import "../../server/members/positions/positions.test.ts";
import "../../server/members/sessions/sessions.test.ts";
