/** The tests of these modules, on PostgreSQL. */
import "../../server/accounts/accounts.test.ts";
import "../../server/accounts/address-change.test.ts";
import "../../server/accounts/address-undo.test.ts";
import "../../server/accounts/closure.test.ts";
import "../../server/accounts/log-in.test.ts";
import "../../server/accounts/member-search.test.ts";
import "../../server/accounts/password-reset.test.ts";
import "../../server/accounts/profile.test.ts";
import "../../server/avatars/avatars.test.ts";
import "../../server/favourites/favourites.test.ts";
import "../../server/positions/positions.test.ts";
import "../../server/sessions/sessions.test.ts";
