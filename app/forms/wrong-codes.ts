/** What is said of a code that was not taken, wherever one is typed. */
export const wrongCodes = {
  "wrong-code": "This is not the code that we sent you. Please check it, or send a new one.",
  "expired-code": "This code is too old. Please send a new one.",
  "too-many-tries": "There were too many wrong codes, so this one is void. Please send a new one.",
};

export const ASK_CODE = "Please enter the six digits of the code that we sent you.";
