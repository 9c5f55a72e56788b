/**
 * Every sentence by which a form, a page or the served API refuses. Pages and API use it through tables that do not
 * compile while a refusal has no sentence. Existing clients match some sentences exactly (docs/behaviour.md, Refusals),
 * which `refusals.test.ts` holds. Sentences of a browser without an answer are elsewhere, because every page would
 * carry this table. A sentence with a wait or a day is a function.
 */
type Section = Record<string, string | ((text: string) => string)>;

export const logIn = {
  "email-missing": "Please enter your email.",
  "password-missing": "Please enter your password.",
  "wrong-credentials": "This email and password don't match. Please check both and try again.",
  unavailable: "We can't log you in right now. Please try again in a few minutes.",
} satisfies Section;

export const passkeys = {
  refused: "We couldn't accept this passkey. Please try again, or log in another way.",
  full: "You have 20 passkeys. Remove one to add another.",
  "not-fresh": "Please confirm that it's you first, then try again.",
  "too-few": "Your password is off, so keep two passkeys. Add another or turn your password on, then remove this one.",
  "too-few-to-switch": "You need two passkeys to turn your password off.",
} satisfies Section;

export const reset = {
  "email-invalid": "Please enter a valid email address",
  fault: "Something went wrong, please try again",
} satisfies Section;

/** At sign-up two of the sentences differ. */
export const newPassword = {
  "password-short": "Password must be at least 8 characters long",
  "password-mismatch": "Passwords do not match",
  "password-long": "Password must be 1024 characters or fewer.",
  "password-common": "This password is too easy to guess. Please choose another.",
} satisfies Section;

export const person = {
  "first-name-missing": "You need to enter a first name.",
  "last-name-missing": "You need to enter a surname.",
  "email-invalid": "You must use a valid email address",
  "email-registered": "This email is already registered.",
  "name-long": "This is too long: please use 80 characters or fewer.",
} satisfies Section;

export const signUp = {
  "password-short": "Password must be 8 characters or more.",
  "password-mismatch": "Password and password confirmation do not match.",
  "code-unchecked": "An error occurred validating your coupon - contact us",
  "account-type-missing": "Please choose Corporate or Individual.",
  "plan-missing": "Please choose a plan.",
} satisfies Section;

/** Visitors cannot mend a company's code, and its payments are not for them to read. */
export const codes = {
  empty: "Enter the code from your employer, or choose Individual.",
  unknown: "We don't recognise this code. Please check it letter by letter, or ask the person who gave it to you.",
  "not-started": (day: string) =>
    `You can use this code from ${day}. If you think it should work now, ask the person who gave it to you.`,
  ended: (day: string) => `This code ended on ${day}. Please ask the person who gave it to you for a new one.`,
  revoked: "This code is no longer in use. Please ask the person who gave it to you for a new one.",
  full: "All the places on this code are used. Please ask the person who gave it to you for another one.",
  stopped: "This code isn't working at the moment. Please ask the person who gave it to you.",
  "setting-up": "This code isn't ready yet. Please try again in a few days, or ask the person who gave it to you.",
  "not-sold": "This code is for something else. Please ask the person who gave it to you.",
  gift: "This code is a gift. Open the link in the gift's email to take it up.",
  "not-valid": "This code doesn't work. Please check it letter by letter, or ask the person who gave it to you.",
  "too-early": "You've already used this code for the year ahead. You can use it again in the last week of that year.",
} satisfies Section;

export const emailCodes = {
  unverified: "Please verify your email",
  missing: "Please enter the six-digit code we sent you.",
  "wrong-code": "That isn't the code we sent you. Please check it, or send a new one.",
  "expired-code": "This code has expired. Please send a new one.",
  "too-many-tries": "Too many wrong codes, so this one no longer works. Please send a new one.",
  "too-soon": (wait: string) => `We sent a code a moment ago. Please wait ${wait}, then ask for another.`,
  "too-many-attempts": (wait: string) =>
    `We've sent a lot of codes to this address. Please wait ${wait}, then ask for another.`,
} satisfies Section;

export const profile = {
  "password-wanted": "Please enter your current password to change your email address.",
  "password-wrong": "That isn't your current password.",
  "passkey-wanted": "Please confirm that it's you with a passkey to change your email address.",
  locked: "You need an active subscription to change this. Write to us and we'll change it for you.",
  "changed-elsewhere":
    "Your details have changed since you opened this page, so we haven't saved yours yet. Please check them, then save again.",
  unavailable: "We can't save your details just now. Please try again in a few minutes.",
} satisfies Section;

export const pictures = {
  unsupported: "File type is not supported",
  "too-big": "File size is too big",
  "too-small": "File size is too small",
  hovered: "File type/size error, Hovered on types!",
  "too-many-pixels": "This picture has too many pixels. Please choose a smaller one.",
  unreadable: "We can't read this picture. Please choose another.",
  "too-big-to-read": "This picture is larger than 5 MB. Please choose a smaller one.",
} satisfies Section;

export const payment = {
  "no-intent": "Error creating payment intent",
  "plan-unchecked": "Please check your plan, then pay.",
  "plan-changed": "You changed your plan in another window. Please check it below, then pay.",
  "postcode-missing": "Enter your postal code.",
  "start-missing": "Please tick the box to start your membership now.",
  "card-missing": "Please enter your card again.",
  "email-registered": "This email is already registered. You haven't been charged.",
  /** "at 21:04, so your membership now ends on 20 November 2027" */
  renewed: (how: string) => `You renewed ${how}. Pay for another term?`,
  unfinished: "You started this payment but didn't finish it. You haven't been charged.",
  "too-many-attempts": (wait: string) =>
    `Too many attempts. You haven't been charged. Please wait ${wait}, then try again.`,
} satisfies Section;

export const cancelling = {
  "too-late": "It's too late to cancel this payment here. Write to us and we'll look at it together.",
  "not-cancellable": "You can't cancel this payment, or you already have.",
  "not-sure": "You haven't cancelled yet. Press “Cancel my membership” to see what you lose, then confirm.",
  "part-under-way": "We're refunding part of this payment. Please try again in a few minutes.",
} satisfies Section;

export const gifts = {
  "plan-missing": "Please choose what to give.",
  "giver-name-missing": "Enter your name, as they know it.",
  "giver-name-long": "Your name is too long: please use 80 characters or fewer.",
  "giver-email-invalid": "Enter your email address, for the receipt.",
  "recipient-name-missing": "Enter the name of the person you give it to.",
  "recipient-name-long": "Their name is too long: please use 80 characters or fewer.",
  "recipient-email-invalid": "Enter their email address, or choose a sheet to print.",
  "address-invalid": "Enter their email address.",
  "message-long": "This is too long: please use 300 characters or fewer.",
  "day-invalid": "Choose a day from today to a year ahead.",
  paying: "This gift is being paid for, so you can't change it now.",
  "not-offered": "You can't buy gifts here.",
  unknown: "We don't recognise this code. Please check it letter by letter.",
  "not-yet": "It's too early for this gift. Please come back on the day it arrives.",
  "taken-up": "This gift has been taken up already.",
  over: "This gift has ended. Ask the person who gave it to you, or write to us.",
  "not-sent": "We send this gift on the day that was chosen. Nothing was sent now.",
  sheet: "This gift is a sheet to print, so it has no address.",
  closed: "This gift has been taken up or has ended. Nothing was changed.",
  "too-late": "It's too late to cancel this gift here. Write to us and we'll look at it together.",
  "not-cancellable": "You can't cancel this gift, or you already have.",
  "part-under-way": "We're refunding part of this payment. Please try again in a few minutes.",
  "too-many-attempts": (wait: string) => `We've sent this gift several times. Please wait ${wait}, then try again.`,
  "no-gift": "There is no such gift.",
  "no-question": "There's nothing left to decide about this gift.",
} satisfies Section;

/** Each says what happened, that nothing was charged, and what to do. */
export const declines = {
  declined:
    "Your bank declined this card without giving a reason. You haven't been charged. Try another card, or ask your bank about this one.",
  "insufficient-funds":
    "Your bank says there isn't enough money in this account. You haven't been charged. Try another card, or try again later.",
  "expired-card": "This card has expired. You haven't been charged. Check the expiry date, or use another card.",
  "wrong-number": "The card number isn't right. You haven't been charged. Check the digits, then pay again.",
  "wrong-cvc":
    "The CVC isn't right. You haven't been charged. Check the three or four digits on the card, then pay again.",
  "authentication-failed":
    "Your bank couldn't confirm it was you. You haven't been charged. Try again, or use another card.",
  cancelled: "You stopped this payment before it finished. You haven't been charged. Pay below when you're ready.",
  "gateway-unavailable":
    "We couldn't reach our payment provider. You haven't been charged. Wait a minute, then pay again. What you typed is still here.",
} satisfies Section;

export const cardDetails = {
  "number-missing": "Enter your card number.",
  "expiry-missing": "Enter the expiry date on the card.",
  "cvc-missing": "Enter the CVC, the three or four digits on the card.",
  "number-wrong": "The card number isn't right. Please check the digits.",
  "expiry-wrong": "The expiry date isn't right. Please check the month and year.",
  "cvc-wrong": "The CVC isn't right. Please check the three or four digits on the card.",
  expired: "This card has expired. Please check the date, or use another card.",
  unread: "We couldn't read this card. Please type it again.",
  unreached: "We couldn't reach our payment provider. You haven't been charged. Please try again in a moment.",
} satisfies Section;

export const demoGateway = {
  "number-wrong": "That isn't a card number. Please check the digits.",
  "number-unknown": "Use one of the demo's cards, such as 4242 4242 4242 4242.",
  "expiry-wrong": "Please enter the expiry as month and year, such as 04 / 30.",
  expired: "This card has expired. Please use another one.",
  "cvc-wrong": "The CVC is the three or four digits on the card.",
  declined: "Your bank declined this card. You haven't been charged. Please try another card.",
  "insufficient-funds": "There isn't enough money in this account. You haven't been charged. Please try another card.",
  "account-holder-missing": "Please enter the name on the account.",
  "account-number-wrong": "An account number has eight digits, such as 55779911.",
  "sort-code-wrong": "A sort code has six digits, such as 20-00-00.",
  "text-long": "This is too long.",
  "no-payment": "There is no such payment.",
} satisfies Section;

export const favourites = {
  gone: "This is no longer available, so you can't save it.",
  unavailable: "We can't change your favourites just now. Please try again in a few minutes.",
  unnamed: "A favourite is named by its kind and its number.",
} satisfies Section;

export const positions = {
  gone: "This is no longer available, so we can't save your place.",
  unnamed: "A position names an item by its kind and its number.",
  unreadable:
    "A position has seconds, a duration that is no shorter, an age in milliseconds, of a day at most, and perhaps the time when it was seen.",
} satisfies Section;

export const newsletter = {
  elsewhere: "We don't send New this month from here.",
} satisfies Section;

export const nights = {
  gone: "This night is no longer part of the guide.",
} satisfies Section;

export const desk = {
  "wrong-credentials": "This email, password and code do not match. Please check all three and try again.",
  "code-missing": "Please enter the six digits that your app shows now, or a recovery code.",
  "code-wrong": "That's not the code your app shows now. Check that you added this account to the app.",
  "password-missing": "Enter your password for the desk.",
  "password-wrong": "That's not your password for the desk. Nothing was changed.",
  "passkey-refused": "We couldn't accept this passkey. Please log in with your password and a code.",
  "reason-missing": "Please give a reason. It's saved in the audit log.",
  "reason-long": "This reason is too long: please use 500 characters or fewer.",
  "role-too-low": "Only an owner can do this. Nothing was changed.",
  "no-passkey": "That's not one of your passkeys.",
  "not-logged-in": "Please log in at the desk first.",
  "no-account": "This account is closed or erased, so nothing was changed.",
  "email-same": "The account already has this address.",
  "mailbox-missing": "Please say whether the member still reads the old address.",
  "nothing-pending": "There's no new address to confirm.",
  "already-verified": "This address is already verified.",
  "export-over": "You've downloaded this file already, or its two minutes are over. Please make it again.",
  "no-sign-up": "This sign-up is over, so nothing was sent.",
  "email-too-soon": (wait: string) => `We've just sent an email. Please wait ${wait}, then send another.`,
  "email-too-many": (wait: string) => `We've sent many emails to this address. Please wait ${wait}, then send another.`,
  "plan-missing": "Please choose how long.",
  "not-revoked": "No operator has ended this member's access, so there's nothing to restore.",
  "nothing-to-end": "They have no access, seat or session to end.",
  "not-their-order": "That order isn't this member's. Nothing was refunded.",
  "not-completed": "Only a completed order can be refunded, and this one isn't completed. Nothing was changed.",
  "company-pays":
    "Their company pays, so they don't need a link. In the last week of their term they can renew in My Account.",
  "nothing-paid": "A company pays for this order, so there is nothing to refund.",
  "not-from-here": "The provider has the money, so refund it there.",
  "part-under-way": "Part of this order is being refunded. Please try again in a minute.",
  "amount-invalid": "Please enter pounds and pence from 0.01, such as 10.00.",
  "more-than-left": (left: string) => `Only ${left} of this order is left to refund. Nothing was changed.`,
} satisfies Section;

export const notes = {
  "note-missing": "Please write the note.",
  "note-long": "This note is too long: please use 4000 characters or fewer.",
  "no-note": "This note is no longer here. Nothing was changed.",
} satisfies Section;

export const merging = {
  "held-elsewhere": "Members are managed elsewhere. Please merge the accounts there.",
  "other-unknown": "There is no other account with this address or number.",
  "other-closed": "One of the two accounts is closed. The member can reopen it with the link in our email.",
  "same-account": "That's this same account. Please enter the other one.",
  "operators-address": "One of the two addresses is an operator's, so nothing was changed.",
  "address-changed":
    "One of the two accounts changed its email in the last 14 days, and the old address can still undo that. Try again once the 14 days are over.",
  "payment-under-way": "One of the two accounts has a payment in progress. Try again once it's done.",
  "sign-up-under-way":
    "The other account has an unfinished sign-up or renewal, which would be lost. It expires after a day.",
  "two-seats": "Both accounts have a seat on a company's code. Please free one of them first.",
} satisfies Section;

export const lists = {
  "no-list": "There is no such list.",
  "held-elsewhere": "Members are managed elsewhere, so there are no lists of them here.",
  "pass-over": "This download has expired. Please press Download again.",
} satisfies Section;

export const deskHealth = {
  "no-email": "This email is no longer in this list. Nothing was changed.",
  "email-gone":
    "This email held a code or a link, so we've deleted its text. The member can ask for a new one on the site.",
  "test-address": "Enter the email address for the test.",
  "test-failed": (reason: string) => `The test was not sent: ${reason}.`,
  "no-job": (name: string) => `There is no job “${name}”.`,
  "job-busy": "This job is already running on a server.",
  "job-failed": "The job failed. The log says why. You can run it again.",
  "no-webhook": "This webhook event is no longer in this list. It may have been handled since.",
  "webhook-failed": "It failed again. The log says why. The payment provider may not be answering.",
  "catalogue-fault": (fault: string) =>
    `We couldn't read the content source: ${fault}. The site still shows what was read before.`,
  "catalogue-unread":
    "Nothing was read. The provider only shows its content to subscribers, and none is logged in. The site still shows what was read before.",
} satisfies Section;

export const operators = {
  "email-invalid": "Name an operator by email address, such as olive@example.org.",
  "name-invalid": "A name has 1 to 80 characters, on one line.",
  "role-missing": "The role must be support or owner.",
  "role-same": "They already have this role.",
  "operator-known":
    "There's already an operator with this address. A new invitation (`operator invite`) lets them set up their account again.",
  "no-operator": "They're no longer an operator. Nothing was changed.",
  "last-owner": "They're the last owner who can log in. Set up another owner first.",
  "not-yourself": "A new invitation would log you out before you could use it. Ask another owner, or use the command.",
} satisfies Section;

export const companies = {
  "name-invalid": "A company's name has 1 to 100 characters, on one line.",
  "name-taken": "There's already a company with this name.",
  "email-invalid": "Please enter an email address.",
  "accounts-invalid": "Please enter a whole number from 1 to 100000.",
  "price-invalid": "Please enter pounds and pence from 0.01 to 1000000.00, such as 1500.00.",
  "debits-closed": "Direct Debit isn't configured, so no company can set one up.",
  "contract-same": "That's what was already agreed. Enter other accounts or another price.",
  "details-same": "The company already has this name and contact. Please change one of them.",
  "gateway-failed": "The Direct Debit provider did not answer. Nothing was sent. Please try again in a few minutes.",
  "already-agreed": "This company's Direct Debit is set up and paid. It doesn't need a page.",
  "company-unknown": "We don't know this company.",
  "contact-known": "This address can already see the company's page.",
  "contacts-many": "A company can have twenty contacts at most. Remove one first.",
  "contact-unknown": "They're not a contact of this company.",
  "code-malformed": "A code has 4 to 40 letters, digits and hyphens, and begins and ends with a letter or digit.",
  "code-taken": "There's already a code like this. Please choose another one.",
  "code-unknown": "There is no such code.",
  "code-revoked": "This code has already been ended.",
  "seats-invalid": "Please enter a whole number from 1 to 1000000.",
  "seats-fewer": "Please enter more seats than the code has, 1000000 at most.",
  "company-seats": "A company's seats follow its contract. Please change the contract instead.",
  "day-invalid": "Please enter a day such as 31/12/2027.",
  "dates-invalid": "The last day must come after the first, and not be in the past.",
  "end-earlier": "The last day must be later than the current one, and not in the past.",
  "products-invalid": "A code can't sell these products.",
  "no-change": "Please enter a later last day, or more seats.",
  "no-seat": "This member has no seat on this code. It may have been freed already.",
} satisfies Section;

export const companyPage = {
  "email-invalid": "Please enter your email address, such as name@company.com.",
  "not-logged-in": "Please log in to your company's page first.",
  "no-company": "You're not a contact of this company.",
} satisfies Section;

export const forms = {
  unreadable: "We couldn't read the form. Please go back and try again.",
  "no-such-form": "This page has no such form. Please go back and try again.",
  "text-unreadable": "We couldn't read this. Please type it again.",
  "no-scheme": "Please choose night or dawn.",
  "no-switch": "Please choose on or off.",
  "no-device": "We can't tell which device you mean. Please go back and try again.",
  "too-large": "That's too large for us to accept.",
  "too-many-bodies": "We're very busy just now. Please try again in a minute.",
  "too-slow": "This took too long to reach us. Please try again.",
  "headers-too-large": "Your browser sent too many cookies. Please delete this site's cookies, then try again.",
  "too-many-attempts": (wait: string) => `Too many attempts. Please wait ${wait}, then try again.`,
  "no-subscription": "You need an active subscription for this.",
  "cannot-save": "We couldn't save that. Please try again in a few minutes.",
  "database-away": "Part of this site isn't answering. Nothing you saved is lost. Please try again in a minute.",
  "from-another-site":
    "This form didn't come from one of our own pages, so we didn't use it. Please open the page again and send it from there.",
  "from-nowhere":
    "Your browser didn't say which page this form came from, so we didn't use it. Please let it send the Referer header to this site, then send the form again.",
} satisfies Section;

export const api = {
  "nothing-here": "There is nothing here.",
  "no-key": "The key is missing or wrong.",
  "no-call": "There is no such call.",
  method: (allowed: string) => `This call is a ${allowed}.`,
  "no-object": "The body must be a JSON object.",
  "token-in-query": "A token must not be sent in the query: send it in Authorization.",
  "not-logged-in": "Please log in.",
  "not-yours": "This is not yours to see or change.",
  "no-member": "No member has this email.",
  "no-subscriber": "No member with an active subscription has this email.",
  "changed-elsewhere": "Your details were changed somewhere else in the meantime.",
  "no-file": "There is no such file.",
  "file-unavailable": "This file is not available right now.",
  "too-many-files": "Too many files are open at once.",
  "order-wanted": "An order makes a subscription active.",
  "codes-many": "An order takes one code.",
  "payment-unknown": "This payment is not known.",
  "plan-unknown": "This plan is not known.",
  "plan-other": "The payment is for another plan than the order.",
  refunded: "We couldn't use this payment, so we're refunding it.",
  "amount-unknown": "No plan costs this amount.",
  "amount-other": "This amount is for another plan.",
  "customer-unknown": "This customer is not known.",
  "customer-missing": "An email or a customer is missing.",
  "customer-other": "The customer has another email.",
  "cards-elsewhere": "Cards are not taken here: make the payment method in the browser.",
  "no-company": "There is no such company.",
  "company-agreed": "This company has agreed already.",
  "gateway-unavailable": "The payment provider could not be reached. Please try again later.",
} satisfies Section;

export const refusals: Record<string, Section> = {
  "Log in": logIn,
  "Password reset": reset,
  "New password": newPassword,
  "Names and email": person,
  "Sign-up": signUp,
  "Company code": codes,
  "Emailed code": emailCodes,
  "My Account": profile,
  "Profile picture": pictures,
  Payment: payment,
  Gifts: gifts,
  "Declined payment": declines,
  "Card details": cardDetails,
  "Demo payment provider": demoGateway,
  Favourites: favourites,
  "Where a member stopped": positions,
  "New this month": newsletter,
  "The nights of a guide": nights,
  "The desk": desk,
  "The desk: health": deskHealth,
  Operators: operators,
  "Companies at the desk": companies,
  "A company's page": companyPage,
  "Any form": forms,
  "Served API": api,
};
